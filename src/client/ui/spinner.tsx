import { Loader, Stack, Text } from '@mantine/core'

type Props = { label: string; visibleLabel?: boolean }

/** A spinner with its reason: shown beneath, or for screen readers only. */
export function Spinner({ label, visibleLabel = false }: Props) {
  return (
    <Stack align="center" gap="sm" role="status" aria-label={label}>
      <Loader aria-hidden />
      {visibleLabel && <Text c="dimmed">{label}</Text>}
    </Stack>
  )
}
