import { Button, Card, Skeleton, Text, Title } from '@mantine/core'
import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, memo, Suspense } from 'react'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { useMonth } from './chart/use-month.ts'
import { NoScans } from './no-scans.tsx'
import styles from './scans-overview.module.css'
import { ALL, openStats } from './stats-address.ts'

/** Drawn after the first paint: the list can be read before it. */
const ScansChart = lazy(() => import('./chart/scans-chart.tsx'))

/** Drawn again only for other scans, whatever the page around it does. */
export const ScansOverview = memo(function ScansOverview() {
  return (
    <Card component="section" withBorder padding="md" aria-labelledby="scans-overview">
      <div className={styles.head}>
        <div>
          <Title order={2} size="h4" id="scans-overview">
            Scans Overview
          </Title>
          <Text size="sm" c="dimmed">
            Daily scans for the last 30 days, broken down by QR code
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={<ChartNoAxesColumn size={16} aria-hidden />}
          onClick={() => openStats(ALL)}
        >
          Analytics
        </Button>
      </div>
      <div className={styles.chart}>
        <PanelBoundary what="The chart">
          <Breakdown />
        </PanelBoundary>
      </div>
    </Card>
  )
})

function Breakdown() {
  const { chart, error, refetch } = useMonth()
  if (error) return <LoadFailure what="The chart" error={error} onRetry={refetch} />
  const drawing = <Skeleton className={styles.drawing} />
  if (!chart) return drawing
  if (chart.total === 0) return <NoScans />
  return (
    <Suspense fallback={drawing}>
      <ScansChart chart={chart} />
    </Suspense>
  )
}
