import { Alert, Button, Stack, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { BAD_TEXT } from './theme.ts'

type Props = { what: string; children: ReactNode }

/**
 * Keeps a crash to the part of the page where it happens; the rest stays usable. A part of the
 * program that cannot be fetched, as in a tab older than a deploy, counts as one.
 */
export class PanelBoundary extends Component<Props, { crashed: boolean }> {
  state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  render() {
    return this.state.crashed ? <CrashNote what={this.props.what} /> : this.props.children
  }
}

function CrashNote({ what }: { what: string }) {
  return (
    <Alert color={BAD_TEXT} variant="outline" title={`${what} could not be shown`} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">Your QR codes are safe and lead on. Reloading the page usually helps.</Text>
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Stack>
    </Alert>
  )
}
