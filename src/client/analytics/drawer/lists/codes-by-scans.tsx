import { useRef, useState } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { isUnscanned, UNSCANNED_DAYS } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { formatDay } from '../../../dates.ts'
import { counted, formatCount } from '../../../ui/formats.ts'
import { showStatsOf } from '../asked/view-address.ts'
import { Card } from '../card.tsx'
import { useInSight } from '../in-sight.ts'
import { keptCodes } from '../keep/kept-cards.ts'
import { useScansByCode } from '../queries.ts'
import styles from './value-list.module.css'

export type Named = Pick<QrCode, 'id' | 'name' | 'createdAt' | 'tags'>

/** What is said of one code in the lists. */
export type Scanned = Omit<Named, 'tags'> & { total: number; lastScan: number | undefined }

/** All codes, most scans first, and those that nobody scans any more: the longest forgotten first. */
export function codesByScans(codes: readonly Named[], scans: ScansByCode, now: Date) {
  const known = new Map(scans.map((each) => [each.id, each]))
  const all = codes.map(({ id, name, createdAt }): Scanned => {
    const found = known.get(id)
    const lastScan = found && Date.parse(found.lastScannedAt)
    return { id, name, createdAt, total: found?.totalScans ?? 0, lastScan }
  })
  const since = (code: Scanned) => code.lastScan ?? Date.parse(code.createdAt)
  return {
    most: all.toSorted((a, b) => b.total - a.total),
    forgotten: all
      .filter(({ createdAt, lastScan }) =>
        isUnscanned({ createdAt: Date.parse(createdAt), lastScan }, now),
      )
      .sort((a, b) => since(a) - since(b)),
  }
}

/** Rows that a list shows before it is asked for more, and how many come then. */
const [SHOWN, MORE] = [8, 100]

const ALL_TIME = 'All scans by people since each code was made'
const UNSCANNED = `Codes that nobody has scanned for ${UNSCANNED_DAYS} days.`

/** The codes of the account: which are scanned most, and which nobody scans any more. */
export function CodesByScans({ codes }: { codes: readonly Named[] }) {
  const area = useRef<HTMLElement>(null)
  const scans = useScansByCode({ enabled: useInSight(area) })
  const lists = scans.data && codesByScans(codes, scans.data, new Date())
  return (
    <>
      <Card
        ref={area}
        title="Scanned most"
        definition={`${ALL_TIME}, whatever the time and the filters above.`}
        kept={lists && keptCodes('Scanned most', `${ALL_TIME}.`, lists.most)}
        answer={scans}
      >
        {lists && <Codes codes={lists.most} says={({ total }) => counted(total, 'scan')} />}
      </Card>
      <Card
        title="Scanned no more"
        definition={UNSCANNED}
        kept={lists && keptCodes('Scanned no more', UNSCANNED, lists.forgotten)}
        answer={scans}
      >
        {lists && (
          <Codes
            codes={lists.forgotten}
            says={({ lastScan }) =>
              lastScan === undefined ? 'Never' : `Last ${formatDay(new Date(lastScan))}`
            }
            none={`None. Each of your codes was scanned or made in the last ${UNSCANNED_DAYS} days.`}
          />
        )}
      </Card>
    </>
  )
}

type ListProps = { codes: readonly Scanned[]; says: (code: Scanned) => string; none?: string }

function Codes({ codes, says, none }: ListProps) {
  const [count, setCount] = useState(SHOWN)
  if (codes.length === 0) return <p className={styles.none}>{none}</p>
  return (
    <>
      <ul className={styles.list}>
        {codes.slice(0, count).map((code) => (
          <li key={code.id}>
            <button
              type="button"
              className={styles.row}
              data-plain
              onClick={() => showStatsOf(code.id)}
            >
              <bdi className={styles.name}>{code.name}</bdi>{' '}
              <span className={styles.scans}>{says(code)}</span>
            </button>
          </li>
        ))}
      </ul>
      {codes.length > count && (
        <button type="button" className={styles.more} onClick={() => setCount(count + MORE)}>
          Show more of {formatCount(codes.length)}
        </button>
      )}
    </>
  )
}
