import { Box, Group, Switch, Text } from '@mantine/core'
import { useShortcutPreference } from '../../ui/shortcut.ts'

const single = [
  { keys: ['C'], does: 'Create a QR code' },
  { keys: ['/'], does: 'Search your QR codes' },
  { keys: ['?'], does: 'Show these shortcuts' },
]
const always = [
  { keys: ['Ctrl', 'K'], does: 'Search your QR codes (⌘ K on a Mac)' },
  { keys: ['Ctrl', 'S'], does: 'Save the form (⌘ S on a Mac)' },
  { keys: ['Esc'], does: 'Close what is open' },
]

export function Shortcuts() {
  const { isOn, setOn } = useShortcutPreference()
  return (
    <>
      <KeyList shortcuts={isOn ? [...single, ...always] : always} />
      <Switch
        mt="lg"
        label="Single keys"
        description="Turn these off if you use dictation or press keys by accident."
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </>
  )
}

const UNDERLINED = { borderBottom: '1px solid var(--line)' }

function KeyList({ shortcuts }: { shortcuts: typeof single }) {
  return (
    <Box component="dl" m={0}>
      {shortcuts.map(({ keys, does }) => (
        <Group key={does} justify="space-between" py={8} style={UNDERLINED}>
          <Text component="dt" size="sm">
            {does}
          </Text>
          <Group component="dd" gap={4}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Box>
  )
}
