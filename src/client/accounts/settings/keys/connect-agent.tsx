import { Box, Group, Stack, Text } from '@mantine/core'
import form from '../../../ui/form.module.css'
import { useConfig } from '../../queries.ts'
import { CopyButton } from '../shown-once.tsx'

/** Where the key goes in what is copied. */
const KEY = 'YOUR_API_KEY'

/** What an AI agent is given, so that it can work with the account: an address, and a key. */
export function ConnectAgent() {
  const { data } = useConfig()
  if (!data) return null
  const url = `${data.hostUrl}/api/mcp`
  return (
    <Stack align="flex-start" w="100%">
      <Snippet label="Address" copy="Copy address" text={url} />
      <Snippet
        label="Settings file (mcp.json)"
        copy="Copy settings"
        text={JSON.stringify({ mcpServers: { tessera: serverAt(url) } }, null, 2)}
      />
      <Text size="sm">
        Put a key of yours in place of <code>{KEY}</code>. With one that only reads, the agent
        changes nothing.
      </Text>
    </Stack>
  )
}

const serverAt = (url: string) => ({
  type: 'http',
  url,
  headers: { Authorization: `Bearer ${KEY}` },
})

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
