import { type ReactNode, useState } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { isUnscanned, UNSCANNED_DAYS } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { counted, formatCount, formatDay } from '../../../formats.ts'
import { Card, useInSight } from '../card.tsx'
import { keptCodes, keptTags } from '../download/kept-cards.ts'
import { useScansByCode } from '../queries.ts'
import { showStatsOf } from '../view/view.ts'
import styles from './value-list.module.css'

export type Named = Pick<QrCode, 'id' | 'name' | 'createdAt' | 'tags'>

type Scanned = Omit<Named, 'tags'> & { total: number; lastScan: number | undefined }

/** All codes, most scans first, and those without a recent scan: the longest forgotten first. */
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

type Tagged = Pick<Named, 'id' | 'tags'>
type TagSum = { name: string; codes: number; scans: number }

/** The scans of each tag's codes together, most scans first. A code with two tags counts in both. */
export function tagsByScans(codes: readonly Tagged[], scans: ScansByCode): TagSum[] {
  const totals = new Map(scans.map(({ id, totalScans }) => [id, totalScans]))
  const sums = new Map<string, TagSum>()
  for (const { id, tags } of codes) {
    for (const name of tags) {
      const sum = sums.get(name) ?? { name, codes: 0, scans: 0 }
      sums.set(name, { name, codes: sum.codes + 1, scans: sum.scans + (totals.get(id) ?? 0) })
    }
  }
  return [...sums.values()].sort((a, b) => b.scans - a.scans || (a.name < b.name ? -1 : 1))
}

const MOST = 'All scans by people since each code was made'
const UNSCANNED = `Codes that nobody has scanned for ${UNSCANNED_DAYS} days.`
const TAGS =
  'All scans by people of the codes with each tag, since they were made. A code with two tags counts in both.'

/** The codes of the account by their scans, those without a recent scan, and the scans of each tag. */
export function CodesAndTags({ codes }: { codes: readonly Named[] }) {
  const [card, isInSight] = useInSight()
  const scans = useScansByCode({ enabled: isInSight })
  const lists = scans.data && codesByScans(codes, scans.data, new Date())
  return (
    <>
      <Card
        ref={card}
        title="Scanned most"
        definition={`${MOST}, whatever the time and the filters above.`}
        kept={lists && keptCodes('Scanned most', `${MOST}.`, lists.most)}
        answer={scans}
      >
        <List items={lists?.most}>
          {(code) => <Code code={code} says={counted(code.total, 'scan')} />}
        </List>
      </Card>
      <Card
        title="Scanned no more"
        definition={UNSCANNED}
        kept={lists && keptCodes('Scanned no more', UNSCANNED, lists.forgotten)}
        answer={scans}
      >
        {lists?.forgotten.length === 0 && (
          <p className={styles.none}>
            None. Each of your codes was scanned or made in the last {UNSCANNED_DAYS} days.
          </p>
        )}
        <List items={lists?.forgotten}>
          {(code) => <Code code={code} says={lastScanText(code)} />}
        </List>
      </Card>
      {codes.some(({ tags }) => tags.length > 0) && <Tags codes={codes} />}
    </>
  )
}

const lastScanText = ({ lastScan }: Scanned) =>
  lastScan === undefined ? 'Never' : `Last ${formatDay(new Date(lastScan))}`

function Code({ code, says }: { code: Scanned; says: string }) {
  return (
    <button type="button" className={styles.row} onClick={() => showStatsOf(code.id)}>
      <bdi className={styles.name}>{code.name}</bdi> <span className={styles.scans}>{says}</span>
    </button>
  )
}

function Tags({ codes }: { codes: readonly Named[] }) {
  const [card, isInSight] = useInSight()
  const scans = useScansByCode({ enabled: isInSight })
  const tags = scans.data && tagsByScans(codes, scans.data)
  const all = scans.data?.reduce((sum, { totalScans }) => sum + totalScans, 0) ?? 0
  return (
    <Card
      ref={card}
      title="Tags"
      definition={`${TAGS} The time and the filters above change nothing here.`}
      kept={tags && keptTags(TAGS, tags, all)}
      answer={scans}
    >
      <List items={tags}>
        {(tag) => (
          <div className={styles.row}>
            <bdi className={styles.name}>{tag.name}</bdi>{' '}
            <span className={styles.scans}>
              {counted(tag.scans, 'scan')} of {counted(tag.codes, 'code')}
            </span>
          </div>
        )}
      </List>
    </Card>
  )
}

/** Rows that a list shows at first, and rows that come with each further click. */
const [SHOWN, MORE] = [8, 100]

type ListProps<Item> = { items: readonly Item[] | undefined; children: (item: Item) => ReactNode }

function List<Item extends { name: string; id?: string }>({
  items = [],
  children,
}: ListProps<Item>) {
  const [count, setCount] = useState(SHOWN)
  return (
    <>
      <ul className={styles.list}>
        {items.slice(0, count).map((item) => (
          <li key={item.id ?? item.name}>{children(item)}</li>
        ))}
      </ul>
      {items.length > count && (
        <button type="button" className={styles.more} onClick={() => setCount(count + MORE)}>
          Show more of {formatCount(items.length)}
        </button>
      )}
    </>
  )
}
