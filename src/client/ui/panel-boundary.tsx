import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CardPage } from './card-page.tsx'
import { SilentBoundary } from './silent-boundary.tsx'
import { BAD_TEXT } from './theme.ts'

type Props = { children: ReactNode; what: string }

/**
 * Keeps a crash to the part of the page where it happens; the rest stays usable. A part of the
 * program that cannot be fetched, as in a tab older than a deploy, counts as one.
 */
export class PanelBoundary extends SilentBoundary<Props> {
  protected renderCrash(): ReactNode {
    return (
      <Alert color={BAD_TEXT} variant="outline" title={titleOf(this.props)} role="alert">
        <WhatHelps />
      </Alert>
    )
  }
}

/** The same around a whole page. */
export class PageBoundary extends PanelBoundary {
  protected renderCrash(): ReactNode {
    return (
      <CardPage>
        <Stack gap="sm" role="alert">
          <Title order={1} size="h2">
            {titleOf(this.props)}
          </Title>
          <WhatHelps />
        </Stack>
      </CardPage>
    )
  }
}

const titleOf = ({ what }: Props) => `${what} could not be shown`

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
