import { useRef } from 'react'
import { scanClassNames } from '#contract/analytics/figure-values.ts'
import type { Classes } from '#contract/analytics/figures.ts'
import { counted, formatCount } from '../../../ui/formats.ts'
import { NumbersTable } from '../../chart/as-table.tsx'
import tables from '../../chart/scans-chart.module.css'
import { Card } from '../card.tsx'
import { useInSight } from '../in-sight.ts'
import { keptReasons } from '../keep/kept-cards.ts'
import { type Asked, useClasses } from '../queries.ts'
import styles from './value-list.module.css'

/** Why visits were taken for people or for programs: both, whichever of them the figures show. */
export function Reasons({ code, view }: Asked) {
  const area = useRef<HTMLElement>(null)
  const enabled = useInSight(area)
  const people = useClasses({ code, view: { ...view, kind: 'people' } }, { enabled })
  const others = useClasses({ code, view: { ...view, kind: 'bots' } }, { enabled })
  const data = people.data && others.data
  const rows = data ? [...people.data.rows, ...others.data.rows] : []
  return (
    <Card
      ref={area}
      title="People or programs"
      isWide
      definition="Messengers, search engines and security scanners open links, too. Each visit is told apart by what its browser says, and only people are counted as scans."
      kept={keptReasons(rows)}
      answer={{
        data,
        error: people.error ?? others.error,
        isPlaceholderData: people.isPlaceholderData || others.isPlaceholderData,
        refetch: () => Promise.all([people.refetch(), others.refetch()]),
      }}
    >
      {rows.length === 0 ? (
        <p className={styles.none}>Nothing to show here yet.</p>
      ) : (
        <>
          <p className={styles.sums}>
            {sumsText(sumOf(people.data?.rows), sumOf(others.data?.rows))}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <section className={tables.scroll} data-texts tabIndex={0} aria-label="Reasons">
            <NumbersTable
              caption="Visits by what they were taken for"
              head={['Taken for', 'Reason', 'Visits']}
              rows={rows.map((row) => ({
                key: `${row.class} ${row.reason}`,
                cells: [scanClassNames[row.class], row.reason, formatCount(row.scans)],
              }))}
            />
          </section>
        </>
      )}
    </Card>
  )
}

const sumOf = (rows: Classes['rows'] = []) => rows.reduce((sum, { scans }) => sum + scans, 0)

/** "120 visits by people count as scans. 7 visits by bots, link previews and the like do not." */
const sumsText = (people: number, others: number) =>
  `${counted(people, 'visit')} by people ${people === 1 ? 'counts' : 'count'} as scans. ${counted(others, 'visit')} by bots, link previews and the like ${others === 1 ? 'does' : 'do'} not.`
