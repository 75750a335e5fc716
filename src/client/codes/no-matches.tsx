import { Button, Stack, Text, Title } from '@mantine/core'
import { SearchX } from 'lucide-react'

/** An account has codes, but none that was asked for. */
export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <SearchX size={44} strokeWidth={1.4} aria-hidden />
      <Title order={3} size="h4">
        No QR codes match
      </Title>
      <Text c="dimmed">Look for a name, a URL, a custom path or a short code</Text>
      <Button mt="sm" variant="default" onClick={onClear}>
        Clear search and filters
      </Button>
    </Stack>
  )
}
