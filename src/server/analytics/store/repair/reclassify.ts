import { LRUCache } from 'lru-cache'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { orMade } from '../../../or-made.ts'
import { firstCompleteDay, noteRewritten } from '../ledger/marks.ts'
import type { Reading } from '../scan.ts'
import { idFromDay } from '../scan-ids.ts'
import { newReread, type Reread, type RereadOptions, type Rules } from '../scans-store.ts'
import { type Repair, scannedDays, withRepair } from './repair.ts'

/**
 * Reads the scans of the ledger again that were read by older rules than today's, on the UTC days whose
 * ledger is complete, and mends what is made of them: first visits, rollups, totals and packs. It may run
 * beside the service.
 *
 * It goes from the newest scan to the oldest: wherever it is killed, the versions of the rules in the
 * ledger still never go down with time (`rulesIn` of count/rollups.ts), and each row shows whether it is done.
 * A day's numbers follow when its rows are done, and a mark says of which day they are due.
 * @throws RepairRefused
 */
export function reclassify(database: Database, rules: Rules, options: RereadOptions = {}) {
  const walk = (repair?: Repair) => rereadDays(database.reads, rules, options, repair)
  return options.isDry ? walk() : withRepair(database, walk)
}

/** Rows of the ledger that are read at once, and the most that one transaction changes */
const ROWS = 2_000
const READINGS_KEPT = 20_000
const PERSON = 'person'
const names = ['device', 'os', 'browser'] as const

async function rereadDays(
  reads: Db,
  rules: Rules,
  { signal, onDay }: RereadOptions,
  repair?: Repair,
): Promise<Reread> {
  const from = await firstCompleteDay(reads)
  const sum = newReread(from)
  const known = new LRUCache<string, Reading>({ max: READINGS_KEPT })
  const readAgain = (was: Reading, agent: string) =>
    orMade(known, `${textOf(was)}\n${agent}`, () => rules.readAgain(was, agent))
  const days = await scannedDays(reads, from)
  for (const [index, day] of days.entries()) {
    const scans = sum.scans
    for (let before: string | undefined = idFromDay(day + 1); before !== undefined; ) {
      sum.isStopped = signal?.aborted ?? false
      if (sum.isStopped) break
      const rows: Row[] = await rowsBefore(reads, day, before, rules.version)
      const older = rows.filter(({ rule }) => rules.versionOf(rule) < rules.version)
      const changes = older.flatMap(({ id, visitor, text, ...was }) =>
        text === null ? [] : [{ id, visitor, was, now: readAgain(was, text) }],
      )
      const isWhole =
        !repair || changes.length === 0 || (await repair.inStep((tx) => rewrite(tx, day, changes)))
      if (!isWhole) break
      addTo(sum, changes)
      sum.unread += older.length - changes.length
      sum.later += rows.length - older.length
      before = rows.length < ROWS ? undefined : rows.at(-1)?.id
    }
    if (sum.scans > scans) await repair?.repairDay(day)
    if (sum.isStopped) break
    onDay?.({ day, daysDone: index + 1, days: days.length, scans: sum.scans })
  }
  return sum
}

/** A scan with the text of its agent, if that is stored */
type Row = Reading & { id: string; visitor: string | null; text: string | null }
/** A scan by older rules, and what today's make of it. */
type Change = Pick<Row, 'id' | 'visitor'> & { was: Reading; now: Reading }

/** Scans of a UTC day before this id by other rules than today's, the newest first. */
async function rowsBefore(db: Db, day: number, before: string, version: number): Promise<Row[]> {
  const rows = db
    .selectFrom('scans')
    .leftJoin('agents', 'agents.id', 'scans.agent')
    .select(['scans.id', 'visitor', 'class', 'rule', ...names, 'text'])
    .where('scans.id', '>=', idFromDay(day))
    .where('scans.id', '<', before)
    .where('rule', 'not like', `${version}:%`)
    .orderBy('scans.id', 'desc')
    .limit(ROWS)
  return rows.$narrowType<Pick<Reading, 'class'>>().execute()
}

function addTo(sum: Reread, changes: Change[]) {
  sum.scans += changes.length
  for (const { was, now } of changes) {
    if (was.class !== now.class) {
      const way = `${was.class} → ${now.class}`
      sum.classes.set(way, (sum.classes.get(way) ?? 0) + 1)
    }
    if (names.some((name) => was[name] !== now[name])) sum.names++
  }
}

/**
 * Writes what today's rules make of a UTC day's scans, whose numbers have to be mended then. Returns false,
 * and writes nothing, if the ledger of that day is not whole any more.
 *
 * A scan that is a person's now counts as the visitor's first, and mending leaves them the earliest of all
 * that do: as if they had been taken for a person from the beginning.
 */
async function rewrite(tx: Tx, day: number, changes: Change[]): Promise<boolean> {
  if (day < (await firstCompleteDay(tx))) return false
  await noteRewritten(tx, day)
  const isOther = ({ was, now }: Change) => (was.class === PERSON) !== (now.class === PERSON)
  const firstOf = ({ visitor, now }: Change) => Number(now.class === PERSON && visitor !== null)
  const set = (some: Change[], values: Partial<Reading & { first: number }>) => {
    const ids = some.map(({ id }) => id)
    return tx.updateTable('scans').set(values).where('id', 'in', ids).execute()
  }
  for (const same of Map.groupBy(changes, ({ now }) => textOf(now)).values()) {
    await set(same, (same[0] as Change).now)
  }
  for (const [first, some] of Map.groupBy(changes.filter(isOther), firstOf)) {
    await set(some, { first })
  }
  return true
}

const textOf = ({ class: scanClass, rule, device, os, browser }: Reading) =>
  [scanClass, rule, device, os, browser].join('\n')
