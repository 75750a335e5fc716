import { useRef } from 'react'
import { scanClassNames } from '#contract/figure-values.ts'
import { formatCount } from '../../../ui/formats.ts'
import { NumbersTable } from '../../chart/as-table.tsx'
import tables from '../../chart/scans-chart.module.css'
import { Card } from '../card.tsx'
import { useInSight } from '../in-sight.ts'
import { type Asked, useClasses } from '../queries.ts'
import styles from './value-list.module.css'

/** Why visits were taken for people or for programs. */
export function Reasons(asked: Asked) {
  const area = useRef<HTMLElement>(null)
  const classes = useClasses(asked, { enabled: useInSight(area) })
  const { data } = classes
  return (
    <Card
      ref={area}
      title="People or programs"
      isWide
      definition="Messengers, search engines and security scanners open links, too. Each visit is told apart by what its browser says, and only people are counted as scans."
      answer={classes}
    >
      {data && data.rows.length === 0 && <p className={styles.none}>Nothing to show here yet.</p>}
      {data && data.rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section className={tables.scroll} data-texts tabIndex={0} aria-label="Reasons">
          <NumbersTable
            caption="Visits by what they were taken for"
            head={['Taken for', 'Reason', 'Visits']}
            rows={data.rows.map((row) => ({
              key: `${row.class} ${row.reason}`,
              cells: [scanClassNames[row.class], row.reason, formatCount(row.scans)],
            }))}
          />
        </section>
      )}
    </Card>
  )
}
