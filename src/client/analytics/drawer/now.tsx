import { Box, Group, Text } from '@mantine/core'
import type { Now as Answer } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { counted, formatTime } from '../../formats.ts'
import { AsTable } from '../chart/as-table.tsx'
import { axisTo } from '../chart/chart-series.ts'
import { barsPath, onScreen, PITCH } from '../chart/drawing.ts'
import { deviceText, placeText } from '../seen-scan.ts'
import { Card, useInSight } from './card.tsx'
import styles from './now.module.css'
import { type Asked, useNow } from './queries.ts'

/** The last half hour by the minute, and the last scans. */
export function Now({ code }: Pick<Asked, 'code'>) {
  const [card, isInSight] = useInSight()
  const now = useNow(code, { enabled: isInSight })
  return (
    <Card
      ref={card}
      title="Right now"
      isWide
      definition="Scans by people in the last 30 minutes, whatever the time and the filters above."
      answer={now}
    >
      {now.data && <LastMinutes now={now.data} isOfAll={code === ''} />}
    </Card>
  )
}

/** The last scans that are listed. */
const SHOWN = 6

function LastMinutes({ now, isOfAll }: { now: Answer; isOfAll: boolean }) {
  const { minutes, scans } = now
  const counts = minutes.map((count) => count ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const top = axisTo(Math.max(...counts)).at(-1) ?? 1
  const timeOf = (index: number) =>
    formatTime(Date.parse(now.at) - (minutes.length - 1 - index) * MINUTE_MS)
  if (total === 0 && scans.length === 0) {
    return (
      <Box mt={4} c="dimmed" fz="sm">
        None yet. The next scan shows up here by itself.
      </Box>
    )
  }
  return (
    <div className={styles.now}>
      <div>
        <Text fw={500} mb={8}>
          {counted(total, 'scan')} in the last 30 minutes
        </Text>
        <svg
          className={styles.bars}
          viewBox={`0 0 ${minutes.length * PITCH} ${top}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={barsPath(counts, onScreen(top))} />
        </svg>
        <Group justify="space-between" mt={4} c="dimmed" fz="xs" aria-hidden="true">
          <span>30 minutes ago</span>
          <span>now</span>
        </Group>
        <AsTable
          label="The last 30 minutes as a table"
          table={() => ({
            caption: 'Scans by minute in the last 30 minutes',
            head: ['Minute', 'Scans'],
            rows: minutes.map((count, index) => [timeOf(index), count ?? 'Not known']).reverse(),
          })}
        />
      </div>
      {scans.length > 0 && (
        <ol className={styles.scans} aria-label="Last scans">
          {scans.slice(0, SHOWN).map((scan) => (
            <li key={scan.id} className={styles.scan}>
              <time dateTime={scan.at} className={styles.time}>
                {formatTime(scan.at)}
              </time>
              <span className={styles.what}>
                {isOfAll && <bdi className={styles.code}>{scan.code.name}</bdi>} {howText(scan)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** "in Germany, on an iPhone", without what is not known. */
function howText({ place, device, os }: Answer['scans'][number]): string {
  const what = deviceText(device, os)
  return [placeText(place), what && `on ${what}`].filter(Boolean).join(', ') || 'somewhere'
}
