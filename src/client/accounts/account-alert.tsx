import { Alert } from '@mantine/core'

/** What the server said, above the fields. */
export function AccountAlert({ message }: { message: string | null }) {
  if (!message) return null
  return (
    <Alert color="red" variant="outline" role="alert">
      {message}
    </Alert>
  )
}
