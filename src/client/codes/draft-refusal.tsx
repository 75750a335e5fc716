import { Alert, Anchor, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { ApiError, serverMessageOf } from '../api.ts'
import { BAD_TEXT } from '../ui/theme.ts'

/** The toast goes after five seconds; why there is no draft stays. */
export function DraftRefusal({ error }: { error: Error | null }) {
  if (!error) return null
  const atLimit = error instanceof ApiError && error.code === 'plan_limit_reached'
  return (
    <Alert color={BAD_TEXT} variant="outline" mb="md">
      <Stack gap={4}>
        {serverMessageOf(error) ?? 'Failed to create QR code'}
        {atLimit && (
          // The page takes the form's place in the history: Back is one press to the list.
          <Anchor
            size="sm"
            renderRoot={(props) => <Link href="/subscription" replace {...props} />}
          >
            See the plans
          </Anchor>
        )}
      </Stack>
    </Alert>
  )
}
