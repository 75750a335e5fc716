import { Box, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ChartNoAxesColumn } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { Late } from '../ui/dialog/late.tsx'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { PlainButton } from '../ui/plain-button.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { useMonth } from './chart/use-month.ts'
import { ALL, openStats } from './stats-address.ts'

/** Drawn after the first paint: the list can be read before it. */
const loadChart = () => import('./chart/scans-chart.tsx')

/** As high before the chart has come as after: nothing below moves. */
const HEIGHT = { '--chart-height': '300px' } as CSSProperties

/** Drawn again only for other scans, whatever the page around it does. */
export const ScansOverview = memo(function ScansOverview() {
  return (
    <Card component="section" withBorder padding="md" aria-labelledby="scans-overview">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap={12}>
        <div>
          <Title order={2} size="h4" id="scans-overview">
            Scans Overview
          </Title>
          <Quiet>Daily scans for the last 30 days, broken down by QR code</Quiet>
        </div>
        <PlainButton
          size="xs"
          flex="none"
          leftSection={<ChartNoAxesColumn size={16} />}
          onClick={() => openStats(ALL)}
        >
          Analytics
        </PlainButton>
      </Group>
      <Box mt="md" mih="var(--chart-height)" style={HEIGHT}>
        <PanelBoundary what="The chart">
          <Breakdown />
        </PanelBoundary>
      </Box>
    </Card>
  )
})

function Breakdown() {
  const { chart, error, refetch } = useMonth()
  if (error) return <LoadFailure what="The chart" reading={{ error, refetch }} />
  const drawing = <Skeleton h="var(--chart-height)" />
  if (!chart) return drawing
  if (chart.total === 0) return <NoScans />
  return (
    <Late load={loadChart} waiting={drawing}>
      {({ default: ScansChart }) => <ScansChart chart={chart} />}
    </Late>
  )
}

/** A made-up month that slowly picks up: tiles for each of thirty days. */
const SKETCH = [
  ...[1, 2, 1, 1, 3, 2, 1, 2, 2, 1],
  ...[3, 4, 2, 2, 3, 3, 5, 4, 2, 3],
  ...[4, 4, 5, 3, 3, 5, 6, 5, 4, 6],
]
const HIGHEST = Math.max(...SKETCH)

/** A tile of 4 and a gap of 1. */
const PITCH = 5
const tiles = SKETCH.flatMap((height, day) =>
  Array.from(
    { length: height },
    (_, above) => `M${day * PITCH} ${(HIGHEST - 1 - above) * PITCH}h4v4h-4z`,
  ),
).join('')

const LOOK = {
  maxWidth: '100%',
  height: '60%',
  fill: 'color-mix(in srgb, var(--line) 60%, var(--panel))',
}

/** Stands in for the chart, as high as the chart that comes in its place. */
function NoScans() {
  return (
    <Stack h="var(--chart-height)" align="center" justify="flex-end">
      <Text c="dimmed">No scan data available yet</Text>
      <svg
        style={LOOK}
        viewBox={`0 0 ${SKETCH.length * PITCH - 1} ${HIGHEST * PITCH - 1}`}
        // On a phone its tiles are as large, and only the last days are in sight.
        preserveAspectRatio="xMaxYMax slice"
        aria-hidden="true"
      >
        <path d={tiles} />
      </svg>
    </Stack>
  )
}
