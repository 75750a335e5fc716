import { type CSSProperties, useState } from 'react'
import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import type { Breakdown } from '#contract/analytics/figures.ts'
import { counted, formatCount } from '../../../ui/formats.ts'
import { AsTable, NumbersTable } from '../../chart/as-table.tsx'
import { toggled, type View } from '../asked/view.ts'
import { changeView } from '../asked/view-address.ts'
import { facetWords, nounOf, shareText, titleOf } from '../words.ts'
import styles from './value-list.module.css'

/** Rows that a list shows before it is asked for all. */
const SHOWN = 8

type Props = { facet: Facet; breakdown: Breakdown; view: View }

/** The values of a facet as bars, most scans first. Each is a filter. */
export function ValueList({ facet, breakdown, view }: Props) {
  const [isWhole, setWhole] = useState(false)
  const { rows, unknown, others, scans } = breakdown
  const { title, one, unknown: unknownName } = facetWords[facet]
  const all = [
    ...rows,
    ...(unknown > 0 ? [{ value: UNKNOWN, label: unknownName, scans: unknown }] : []),
  ].sort((a, b) => b.scans - a.scans)
  if (all.length === 0) return <p className={styles.none}>Nothing to show here yet.</p>
  const shown = isWhole ? all : all.slice(0, SHOWN)
  const most = all[0]?.scans ?? 0
  return (
    <>
      <ul className={styles.list}>
        {shown.map((row) => (
          <li key={row.value}>
            <button
              type="button"
              className={styles.row}
              aria-pressed={view.filters[facet] === row.value}
              style={{ '--part': most > 0 ? row.scans / most : 0 } as CSSProperties}
              onClick={() => changeView({ filters: toggled(view.filters, facet, row.value) })}
            >
              <bdi className={styles.name}>{row.label}</bdi>{' '}
              <span className={styles.scans}>{counted(row.scans, nounOf(view.kind))}</span>{' '}
              <span className={styles.share}>{shareText(row.scans, scans)}</span>
            </button>
          </li>
        ))}
      </ul>
      {others > 0 && (isWhole || all.length <= SHOWN) && (
        <p className={styles.none}>{counted(others, nounOf(view.kind))} with other values</p>
      )}
      {all.length > SHOWN && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${formatCount(all.length)}`}
        </button>
      )}
      <AsTable label={`${title} as a table`}>
        <NumbersTable
          caption={`${titleOf(view.kind)}: ${title}`}
          head={[one, titleOf(view.kind), 'Share']}
          rows={all.map((row) => ({
            key: row.value,
            cells: [row.label, formatCount(row.scans), shareText(row.scans, scans)],
          }))}
        />
      </AsTable>
    </>
  )
}
