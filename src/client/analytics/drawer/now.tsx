import { useRef } from 'react'
import type { Now as Answer } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { formatTime } from '../../dates.ts'
import { counted, formatCount } from '../../ui/formats.ts'
import { AsTable, NumbersTable } from '../chart/as-table.tsx'
import { axisTo } from '../chart/chart-series.ts'
import { barsPath, onScreen, PITCH } from '../chart/drawing.ts'
import { deviceText, placeText } from '../seen-scan.ts'
import { Card } from './card.tsx'
import { useInSight } from './in-sight.ts'
import styles from './now.module.css'
import type { Asked } from './queries.ts'
import { useNow } from './queries.ts'

/** What happens right now: the last half hour by the minute, and the last scans. */
export function Now({ code }: Pick<Asked, 'code'>) {
  const area = useRef<HTMLElement>(null)
  const now = useNow(code, { enabled: useInSight(area) })
  return (
    <Card
      ref={area}
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
    return <p className={styles.none}>None yet. The next scan shows up here by itself.</p>
  }
  return (
    <div className={styles.now}>
      <div>
        <p className={styles.total}>{counted(total, 'scan')} in the last 30 minutes</p>
        <svg
          className={styles.bars}
          viewBox={`0 0 ${minutes.length * PITCH} ${top}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path
            d={barsPath(
              counts.map((to) => ({ from: 0, to })),
              onScreen(top),
            )}
          />
        </svg>
        <p className={styles.ends} aria-hidden="true">
          <span>30 minutes ago</span>
          <span>now</span>
        </p>
        <AsTable label="The last 30 minutes as a table">
          <NumbersTable
            caption="Scans by minute in the last 30 minutes"
            head={['Minute', 'Scans']}
            rows={minutes
              .map((count, index) => ({
                key: `${index}`,
                cells: [timeOf(index), count === null ? 'Not known' : formatCount(count)],
              }))
              .reverse()}
          />
        </AsTable>
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

/** "in Germany, on an iPhone"; what is not known is left out. */
function howText({ place, device, os }: Answer['scans'][number]): string {
  const what = deviceText(device, os)
  return [placeText(place), what && `on ${what}`].filter(Boolean).join(', ') || 'somewhere'
}
