import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { CardPage } from './card-page.tsx'
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
    return this.state.crashed
      ? this.renderCrash(`${this.props.what} could not be shown`)
      : this.props.children
  }

  protected renderCrash(title: string): ReactNode {
    return (
      <Alert color={BAD_TEXT} variant="outline" title={title} role="alert">
        <WhatHelps />
      </Alert>
    )
  }
}

/** The same around a whole page. */
export class PageBoundary extends PanelBoundary {
  protected renderCrash(title: string): ReactNode {
    return (
      <CardPage>
        <Stack gap="sm" role="alert">
          <Title order={1} size="h2">
            {title}
          </Title>
          <WhatHelps />
        </Stack>
      </CardPage>
    )
  }
}

function WhatHelps() {
  return (
    <Stack align="flex-start" gap="sm">
      <Text size="sm">Your QR codes are safe and lead on. Reloading the page usually helps.</Text>
      <Button variant="default" size="xs" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </Stack>
  )
}
