import { Alert, Stack, Text } from '@mantine/core'
import { serverMessageOf } from '../../api.ts'
import { PlainButton } from '../plain-button.tsx'
import { BAD_TEXT } from '../theme/theme.ts'

/** A refusal of the server, above the fields or buttons that caused it. */
export function FailureAlert({ message }: { message: string | null }) {
  if (!message) return null
  return (
    <Alert color={BAD_TEXT} variant="outline" role="alert">
      {message}
    </Alert>
  )
}

type Reading = { error: unknown; refetch: () => unknown }

/** A part of the program that could not be loaded: only another load of the page helps. */
export const LATE_PART: Reading = { error: null, refetch: () => window.location.reload() }

/** Reports a failed reading with its reason and a button to try again. */
export function LoadFailure({ what, reading }: { what: string; reading: Reading }) {
  return (
    <Alert color={BAD_TEXT} variant="outline" title={`${what} couldn’t be loaded`} role="alert">
      <Remedy button="Try again" act={() => reading.refetch()}>
        {serverMessageOf(reading.error) ?? 'The server didn’t answer as expected.'}
      </Remedy>
    </Alert>
  )
}

/** Says that something went wrong, with a button that may help */
export function Remedy(props: { button: string; act: () => void; children: string }) {
  const { button, act, children } = props
  return (
    <Stack align="flex-start" gap="sm">
      <Text size="sm">{children}</Text>
      <PlainButton size="xs" onClick={act}>
        {button}
      </PlainButton>
    </Stack>
  )
}
