import { Box } from '@mantine/core'
import { type ComponentProps, type PointerEvent, useState } from 'react'
import type { Heatmap } from '#contract/analytics/figures.ts'
import { counted, localHourSpan } from '../../formats.ts'
import { AsTable } from '../chart/as-table.tsx'
import { Card, useInSight } from './card.tsx'
import { keptHours } from './download/kept-cards.ts'
import styles from './figures.module.css'
import { shadeStyle } from './figures.ts'
import { type Asked, useHeatmap } from './queries.ts'
import type { Kind } from './view/view.ts'
import { busiest, HOURS, hourText, nounOf, titleOf, weekdays } from './words.ts'

/** Hours with a word above them. */
const NAMED = 6

/** Scans by weekday and hour. */
export function WeekdayHours(asked: Asked) {
  const [card, isInSight] = useInSight()
  const heatmap = useHeatmap(asked, { enabled: isInSight })
  const { data } = heatmap
  return (
    <Card
      ref={card}
      title="Weekdays and hours"
      definition="By weekday and hour, in your time zone. Stronger color means more scans."
      kept={data && keptHours(data, asked.view.kind)}
      answer={heatmap}
    >
      {data && <Grid heatmap={data} kind={asked.view.kind} />}
    </Card>
  )
}

/** "Busiest day: Sunday. Busiest hour: 6 – 7 PM." */
export function busiestText(heatmap: Heatmap, kind: Kind): string {
  const best = busiest(heatmap)
  if (!best) return `No ${nounOf(kind)}s yet.`
  return `Busiest day: ${best.weekday}. Busiest hour: ${localHourSpan(best.hour)}.`
}

type CellsProps = { heatmap: Heatmap; kind: Kind } & ComponentProps<'div'>

/** A shade for each hour of the week, for the eye. */
export function HeatCells({ heatmap: { rows }, kind, ...more }: CellsProps) {
  const most = Math.max(...rows.flat())
  const spans = HOURS.map(localHourSpan)
  return (
    <div {...more} className={styles.grid} aria-hidden="true">
      {HOURS.map((hour) =>
        hour % NAMED === 0 ? (
          <span key={hour} style={{ gridColumn: `${hour + 2} / span 6` }}>
            {hourText(hour)}
          </span>
        ) : null,
      )}
      {weekdays.map((weekday, day) => (
        <Box key={weekday} display="contents">
          <span style={{ gridColumn: 1, alignSelf: 'center' }}>{weekday.slice(0, 3)}</span>
          {HOURS.map((hour) => {
            const scans = rows[day]?.[hour] ?? 0
            return (
              <span
                key={hour}
                className={styles.cell}
                style={shadeStyle(scans, most)}
                data-says={`${weekday}, ${spans[hour]}: ${counted(scans, nounOf(kind))}`}
              />
            )
          })}
        </Box>
      ))}
    </div>
  )
}

function Grid({ heatmap, kind }: { heatmap: Heatmap; kind: Kind }) {
  const [read, setRead] = useState<string | null>(null)
  const say = ({ target }: PointerEvent) =>
    setRead(target instanceof HTMLElement ? (target.dataset.says ?? null) : null)
  return (
    <>
      <Box component="p" display="grid" mb={8} fw={500}>
        {/* It keeps its lines while an hour is read: else the hours would move from under the pointer. */}
        <span style={{ gridArea: '1 / 1', visibility: read === null ? 'visible' : 'hidden' }}>
          {busiestText(heatmap, kind)}
        </span>
        {read !== null && <span style={{ gridArea: '1 / 1' }}>{read}</span>}
      </Box>
      <HeatCells
        heatmap={heatmap}
        kind={kind}
        onPointerOver={say}
        onPointerLeave={() => setRead(null)}
      />
      <AsTable
        label="Weekdays and hours as a table"
        table={() => ({
          caption: `${titleOf(kind)} by weekday and hour`,
          ...keptHours(heatmap, kind).table,
        })}
      />
    </>
  )
}
