import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import form from '../../ui/form.module.css'
import { useConfig } from '../queries.ts'
import { addressOf } from './sections.ts'
import { CopyButton } from './shown-once.tsx'

/** The place of the key in the copied settings. */
const KEY = 'YOUR_API_KEY'

/** The address and the settings that connect an AI agent to the account. */
export function ConnectAgent() {
  const { data } = useConfig()
  if (!data) return null
  const url = `${data.hostUrl}/api/mcp`
  return (
    <Stack align="flex-start" w="100%">
      <AgentAddress />
      <Text size="sm">
        Most agents need only the address: you allow them in your browser, and find them under{' '}
        <Anchor component={Link} href={addressOf('apps')} inherit underline="always">
          Connected apps
        </Anchor>
        . Others need a key, too.
      </Text>
      <Snippet
        label="Settings file (mcp.json)"
        copy="Copy settings"
        text={JSON.stringify({ mcpServers: { tessera: serverAt(url) } }, null, 2)}
      />
      <Text size="sm">
        Replace <code>{KEY}</code> with one of your keys. With a read-only key, the agent can’t
        change anything.
      </Text>
    </Stack>
  )
}

const serverAt = (url: string) => ({
  type: 'http',
  url,
  headers: { Authorization: `Bearer ${KEY}` },
})

/** The address that connects an AI agent which can log in. */
export function AgentAddress() {
  const { data } = useConfig()
  return data && <Snippet label="Address" copy="Copy address" text={`${data.hostUrl}/api/mcp`} />
}

function Snippet({ label, copy, text }: { label: string; copy: string; text: string }) {
  return (
    <Box w="100%">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton text={text}>{copy}</CopyButton>
      </Group>
      <pre className={form.copied}>{text}</pre>
    </Box>
  )
}
