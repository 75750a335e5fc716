import { Box, Group, SimpleGrid, Text } from '@mantine/core'
import type { Now as Answer } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { counted, formatTime } from '../../formats.ts'
import rows from '../../ui/rows.module.css'
import { AsTable } from '../chart/as-table.tsx'
import { axisTo } from '../chart/chart-series.ts'
import { barsPath, onScreen } from '../chart/drawing.ts'
import { Canvas } from '../chart/plot.tsx'
import { howText } from '../seen-scan.ts'
import { Card, useInSight } from './card.tsx'
import { type Asked, useNow } from './queries.ts'
import { nounOf, titleOf } from './words.ts'

/** The last half hour by the minute, and the last scans. It takes the filters, and is its own range. */
export function Now(asked: Asked) {
  const [card, isInSight] = useInSight()
  const now = useNow(asked, { enabled: isInSight })
  const { code, view } = asked
  return (
    <Card
      ref={card}
      title="Right now"
      isWide
      definition={`${titleOf(view.kind)} in the last 30 minutes, with the filters above.`}
      answer={now}
    >
      {now.data && <LastMinutes now={now.data} isOfAll={code === ''} noun={nounOf(view.kind)} />}
    </Card>
  )
}

/** The card has two columns where the drawer's cards have. */
const WIDE = '47.875rem'

/** The last scans that are listed. */
const SHOWN = 6

/** The verb of each noun, which begins a sentence of the list. */
const VERBS = { scan: 'Scanned', visit: 'Opened' }

type Props = { now: Answer; isOfAll: boolean; noun: 'scan' | 'visit' }

function LastMinutes({ now, isOfAll, noun }: Props) {
  const { minutes, scans } = now
  const counts = minutes.map((count) => count ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const top = axisTo(Math.max(...counts)).at(-1) ?? 1
  const timeOf = (index: number) =>
    formatTime(Date.parse(now.at) - (minutes.length - 1 - index) * MINUTE_MS)
  if (total === 0 && scans.length === 0) {
    return (
      <Box mt={4} c="dimmed" fz="sm">
        None yet. The next {noun} will show up here.
      </Box>
    )
  }
  return (
    <SimpleGrid
      type="container"
      cols={scans.length > 0 ? { base: 1, [WIDE]: 2 } : 1}
      spacing={24}
      verticalSpacing={12}
    >
      <div>
        <Text fw={500} mb={8}>
          {counted(total, noun)} in the last 30 minutes
        </Text>
        <Box pos="relative" h={72} style={{ borderBottom: '1px solid var(--line)' }}>
          <Canvas count={minutes.length} top={top}>
            <path fill="var(--visitors)" d={barsPath(counts, onScreen(top))} />
          </Canvas>
        </Box>
        <Group justify="space-between" mt={4} c="dimmed" fz="xs" aria-hidden="true">
          <span>30 minutes ago</span>
          <span>now</span>
        </Group>
        <AsTable
          label="The last 30 minutes as a table"
          table={() => ({
            caption: `The last 30 minutes: ${noun}s by minute`,
            head: ['Minute', noun === 'scan' ? 'Scans' : 'Visits'],
            rows: minutes.map((count, index) => [timeOf(index), count ?? 'Unknown']).reverse(),
          })}
        />
      </div>
      {scans.length > 0 && (
        <Box component="ul" fz="sm" aria-label={`Last ${noun}s`}>
          {scans.slice(0, SHOWN).map((scan) => (
            <Group
              component="li"
              key={scan.id}
              gap={12}
              py={5}
              align="stretch"
              wrap="nowrap"
              style={{ borderBottom: '1px solid var(--line)', fontVariantNumeric: 'tabular-nums' }}
            >
              <Box component="time" dateTime={scan.at} flex="none" w="5em" c="dimmed">
                {formatTime(scan.at)}
              </Box>
              <span className={rows.words}>
                {isOfAll ? <bdi style={{ fontWeight: 600 }}>{scan.code.name}</bdi> : VERBS[noun]}{' '}
                {howText(scan) || 'somewhere'}
              </span>
            </Group>
          ))}
        </Box>
      )}
    </SimpleGrid>
  )
}
