import { Center, Loader, Stack, Text } from '@mantine/core'

/** A spinner with its reason: shown beneath, or for screen readers only. */
export function Spinner({
  label,
  visibleLabel = false,
}: {
  label: string
  visibleLabel?: boolean
}) {
  return (
    <Stack align="center" gap="sm" role="status" aria-label={label}>
      <Loader aria-hidden />
      {visibleLabel && <Text c="dimmed">{label}</Text>}
    </Stack>
  )
}

export function PageSpinner() {
  return (
    <Center component="main" mih="100dvh">
      <Spinner label="Loading" />
    </Center>
  )
}
