import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SharedCode } from '#contract/analytics/shares.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { useView } from '../analytics/drawer/asked/view-address.ts'
import { Panel } from '../analytics/drawer/panel.tsx'
import { SourceContext } from '../analytics/drawer/queries.ts'
import { isRefusal } from '../api.ts'
import { formatDay } from '../dates.ts'
import { Logo } from '../ui/logo.tsx'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { CardPage, usePageTitle } from '../ui/page/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './shared-page.module.css'

/** One code's figures for everybody who has the link. `path` is the page's own, and its calls are below it. */
export function SharedPage({ path }: { path: string }) {
  const code = useQuery<SharedCode>({
    queryKey: [path, 'code'],
    refetchInterval: MINUTE_MS,
  })
  // It may end while somebody looks at it.
  if (isRefusal(code.error, 'share_not_found')) return <NotShared />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Container size={1080} className={styles.bar}>
          <a href="/" className={styles.home}>
            <Logo />
          </a>
          <Text size="sm" c="dimmed">
            Shared analytics
          </Text>
        </Container>
      </header>
      <Container component="main" size={1080} py="xl">
        {code.data ? (
          <SharedFigures path={path} code={code.data} />
        ) : code.error ? (
          <LoadFailure what="This page" error={code.error} onRetry={code.refetch} />
        ) : (
          <Spinner label="Loading the analytics" visibleLabel />
        )}
      </Container>
    </div>
  )
}

const NONE: [] = []

function SharedFigures({ path, code }: { path: string; code: SharedCode }) {
  usePageTitle(`Analytics of ${code.name}`)
  const view = useView()
  return (
    <>
      <Title order={1} size="h2" className={styles.title}>
        Analytics of <bdi>{code.name}</bdi>
      </Title>
      <Text c="dimmed" mb="lg">
        Shared with you until {formatDay(code.endsAt)}. The figures are read again each minute.
      </Text>
      <h2 className={styles.words}>Figures</h2>
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
      <Title order={1} size="h2" mb="xs">
        This page is not shared
      </Title>
      <Text>
        Its link has ended, or its owner does not share it at the moment. Ask the person who gave it
        to you.
      </Text>
    </CardPage>
  )
}
