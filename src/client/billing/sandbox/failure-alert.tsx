import { Alert } from '@mantine/core'
import { BAD_TEXT } from '../../ui/theme.ts'

export function FailureAlert({ message }: { message: string | null }) {
  if (!message) return null
  return (
    <Alert color={BAD_TEXT} variant="outline" role="alert">
      {message}
    </Alert>
  )
}
