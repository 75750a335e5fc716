import { Box, Container, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SharedCode } from '#contract/analytics/shares.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { Panel } from '../analytics/drawer/panel.tsx'
import { SourceContext } from '../analytics/drawer/queries.ts'
import { useView } from '../analytics/drawer/view/view.ts'
import { isRefusal } from '../api.ts'
import { formatDay } from '../formats.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { CardPage, usePageTitle } from '../ui/page/page.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { LogoBar } from './logo-bar.tsx'

/** One code's figures for people who have the link. The page's calls are below `path`. */
export function SharedPage({ path }: { path: string }) {
  const code = useQuery<SharedCode>({
    queryKey: [path, 'code'],
    refetchInterval: MINUTE_MS,
  })
  // The share may end while the page is open.
  if (isRefusal(code.error, 'share_not_found')) return <NotShared />
  return (
    // The figures' colours are made for the ground that they have in the drawer.
    <Box mih="100dvh" bg="var(--panel)">
      <LogoBar size={1080}>
        <Quiet>Shared analytics</Quiet>
      </LogoBar>
      <Container component="main" size={1080} py="xl">
        {code.data ? (
          <SharedFigures path={path} code={code.data} />
        ) : code.error ? (
          <LoadFailure what="This page" reading={code} />
        ) : (
          <Spinner label="Loading the analytics" visibleLabel />
        )}
      </Container>
    </Box>
  )
}

const NONE: [] = []

function SharedFigures({ path, code }: { path: string; code: SharedCode }) {
  usePageTitle(`${code.name}: analytics`)
  const view = useView()
  return (
    <>
      <Title>
        <bdi>{code.name}</bdi>: analytics
      </Title>
      <Text c="dimmed" mb="lg">
        Shared with you until {formatDay(code.endsAt)}. Updates every minute.
      </Text>
      <VisuallyHidden>
        <h2>Charts</h2>
      </VisuallyHidden>
      <SourceContext value={{ path, isShared: true, readAgainMs: MINUTE_MS }}>
        <Panel code="" codes={NONE} view={view} />
      </SourceContext>
    </>
  )
}

function NotShared() {
  usePageTitle('This page is not shared')
  return (
    <CardPage>
      <Title mb="xs">This page is not shared</Title>
      <Text>
        The link has ended, or its owner has stopped sharing. Please ask the person who sent it to
        you.
      </Text>
    </CardPage>
  )
}
