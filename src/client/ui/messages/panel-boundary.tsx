import { Alert, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { CardPage } from '../page/page.tsx'
import { BAD_TEXT } from '../theme/theme.ts'
import { Remedy } from './failure-alert.tsx'

/**
 * Keeps a crash to one panel; the rest of the page stays usable. A chunk that cannot be fetched, as
 * in a tab older than a deploy, counts as a crash.
 */
export function PanelBoundary({ children, what }: { children: ReactNode; what: string }) {
  const alert = (
    <Alert color={BAD_TEXT} variant="outline" title={`${what} couldn’t be shown`} role="alert">
      {whatHelps}
    </Alert>
  )
  return <ErrorBoundary fallback={alert}>{children}</ErrorBoundary>
}

/** The same around a whole page. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const page = (
    <CardPage>
      <Stack gap="sm" role="alert">
        <Title>This page couldn’t be shown</Title>
        {whatHelps}
      </Stack>
    </CardPage>
  )
  return <ErrorBoundary fallback={page}>{children}</ErrorBoundary>
}

const whatHelps = (
  <Remedy button="Reload the page" act={() => window.location.reload()}>
    Your QR codes are safe and keep working. Reloading the page usually helps.
  </Remedy>
)
