import { useRef, useState } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { counted, formatCount } from '../../../ui/formats.ts'
import { Card } from '../card.tsx'
import { useInSight } from '../in-sight.ts'
import { keptTags } from '../keep/kept-cards.ts'
import { useScansByCode } from '../queries.ts'
import type { Named } from './codes-by-scans.tsx'
import styles from './value-list.module.css'

type TagSum = { name: string; codes: number; scans: number }

/** What the codes of each tag were scanned together, most scans first. A code with two tags counts in both. */
export function tagsByScans(
  codes: readonly Pick<Named, 'id' | 'tags'>[],
  scans: ScansByCode,
): TagSum[] {
  const totals = new Map(scans.map(({ id, totalScans }) => [id, totalScans]))
  const sums = new Map<string, TagSum>()
  for (const { id, tags } of codes) {
    for (const name of tags) {
      const sum = sums.get(name) ?? { name, codes: 0, scans: 0 }
      sums.set(name, {
        name,
        codes: sum.codes + 1,
        scans: sum.scans + (totals.get(id) ?? 0),
      })
    }
  }
  return [...sums.values()].sort((a, b) => b.scans - a.scans || (a.name < b.name ? -1 : 1))
}

/** Rows that the list shows before it is asked for more, and how many come then. */
const [SHOWN, MORE] = [8, 100]

const ALL_TIME =
  'All scans by people of the codes with each tag, since they were made. A code with two tags counts in both.'

/** The scans of each tag's codes; nothing where no code has a tag. */
export function TagsByScans({ codes }: { codes: readonly Named[] }) {
  return codes.some(({ tags }) => tags.length > 0) ? <Tags codes={codes} /> : null
}

function Tags({ codes }: { codes: readonly Named[] }) {
  const area = useRef<HTMLElement>(null)
  const scans = useScansByCode({ enabled: useInSight(area) })
  const [count, setCount] = useState(SHOWN)
  const tags = scans.data && tagsByScans(codes, scans.data)
  const all = scans.data?.reduce((sum, { totalScans }) => sum + totalScans, 0) ?? 0
  return (
    <Card
      ref={area}
      title="Tags"
      definition={`${ALL_TIME} The time and the filters above change nothing here.`}
      kept={tags && keptTags('Tags', ALL_TIME, tags, all)}
      answer={scans}
    >
      <ul className={styles.list}>
        {tags?.slice(0, count).map((tag) => (
          <li key={tag.name} className={styles.row} data-plain>
            <bdi className={styles.name}>{tag.name}</bdi>{' '}
            <span className={styles.scans}>
              {counted(tag.scans, 'scan')} of {counted(tag.codes, 'code')}
            </span>
          </li>
        ))}
      </ul>
      {tags && tags.length > count && (
        <button type="button" className={styles.more} onClick={() => setCount(count + MORE)}>
          Show more of {formatCount(tags.length)}
        </button>
      )}
    </Card>
  )
}
