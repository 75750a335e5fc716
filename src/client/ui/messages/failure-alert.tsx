import { Alert, Button, Stack, Text } from '@mantine/core'
import { serverMessageOf } from '../../api.ts'
import { BAD_TEXT } from '../theme.ts'

/** A refusal of the server, above the fields or buttons that caused it. */
export function FailureAlert({ message }: { message: string | null }) {
  if (!message) return null
  return (
    <Alert color={BAD_TEXT} variant="outline" role="alert">
      {message}
    </Alert>
  )
}

type Props = { what: string; error: unknown; onRetry: () => void }

/** Reports a failed read with its reason and a button to try again. */
export function LoadFailure({ what, error, onRetry }: Props) {
  return (
    <Alert color={BAD_TEXT} variant="outline" title={`${what} could not be loaded`} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{serverMessageOf(error) ?? 'The server did not answer as expected.'}</Text>
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
