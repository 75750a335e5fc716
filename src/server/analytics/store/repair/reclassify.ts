import { LRUCache } from 'lru-cache'
import type { ScanClass } from '#contract/analytics/figure-values.ts'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import {
  type Reading,
  RULES_VERSION,
  readAgain,
  rulesVersionOf,
} from '../../record/classification.ts'
import { firstCompleteDay, noteRewritten } from '../ledger/marks.ts'
import { idFromDay, scannedDays } from '../ledger/scan-ids.ts'
import { Repair } from './repair.ts'

export type Reclassified = {
  /** Scans by older rules that are by today's now */
  scans: number
  /** How many of them went from one class to another, by `bot → person`. */
  classes: Map<string, number>
  /** How many of them have another device, system or browser. */
  names: number
  /** Scans that stay as they are because their User-Agent is not stored */
  unread: number
  /** Scans that stay as they are because they are by later rules than these */
  later: number
  /** The first UTC day that was looked at */
  from: number
  /** Whether it was stopped before its end. */
  isStopped: boolean
}

export type Progress = { day: number; daysDone: number; days: number; scans: number }

type Options = {
  /** Changes nothing, and answers what would be changed. */
  isDry?: boolean
  /** Ends the run; numbers of the day in hand are then right. */
  signal?: AbortSignal | undefined
  onDay?: (progress: Progress) => void
}

/**
 * Reads the scans of the ledger again that were read by older rules than today's, on the UTC days whose
 * ledger is complete, and mends what is made of them: first visits, rollups, totals and packs. It may run
 * beside the service.
 *
 * It goes from the newest scan to the oldest: wherever it is killed, the versions of the rules in the
 * ledger still never go down with time (`rulesIn` of query/rollups.ts), and each row shows whether it is done.
 * A day's numbers follow when its rows are done, and a mark says of which day they are due.
 * @throws RepairRefused
 */
export function reclassify(database: Database, options: Options = {}): Promise<Reclassified> {
  if (options.isDry) return walk(database, options)
  return Repair.run(database, (repair) => walk(database, options, repair))
}

async function walk(
  { reads }: Database,
  { signal, onDay }: Options,
  repair?: Repair,
): Promise<Reclassified> {
  const reader = new OlderScansReader(reads)
  const from = await firstCompleteDay(reads)
  const sum: Reclassified = {
    scans: 0,
    classes: new Map(),
    names: 0,
    unread: 0,
    later: 0,
    from,
    isStopped: false,
  }
  const write = async (day: number, changes: Change[]) =>
    (await repair?.inStep((tx) => rewrite(tx, day, changes))) ?? true
  const days = await scannedDays(reads, from)
  for (const [index, day] of days.entries()) {
    const scans = sum.scans
    for (let before: string | undefined = idFromDay(day + 1); before !== undefined; ) {
      sum.isStopped = signal?.aborted ?? false
      if (sum.isStopped) break
      const some: OlderScans = await reader.read(day, before)
      const isWhole = some.changes.length === 0 || (await write(day, some.changes))
      if (isWhole) addTo(sum, some)
      before = isWhole ? some.next : undefined
    }
    if (sum.scans > scans) await repair?.repairDay(day)
    if (sum.isStopped) break
    onDay?.({ day, daysDone: index + 1, days: days.length, scans: sum.scans })
  }
  return sum
}

function addTo(sum: Reclassified, { changes, unread, later }: OlderScans) {
  sum.scans += changes.length
  sum.unread += unread
  sum.later += later
  for (const { was, now } of changes) {
    if (was.class !== now.class) {
      const way = `${was.class} → ${now.class}`
      sum.classes.set(way, (sum.classes.get(way) ?? 0) + 1)
    }
    const isNamedOtherwise = (['device', 'os', 'browser'] as const).some(
      (name) => was[name] !== now[name],
    )
    if (isNamedOtherwise) sum.names++
  }
}

/** Rows of the ledger that are read at once, and the most that one transaction changes */
const ROWS = 2_000
const READINGS_KEPT = 20_000
const PERSON = 'person'

const columns = [
  'id',
  'code_id',
  'visitor',
  'agent',
  'class',
  'rule',
  'device',
  'os',
  'browser',
] as const
type Row = Pick<Tables['scans'], (typeof columns)[number]>

/** A scan by older rules, and what today's make of it. */
export type Change = { row: Row; was: Reading; now: Reading }

/** `unread` scans have no agent that is stored, `later` ones are by rules of a later version: they stay. */
type OlderScans = {
  changes: Change[]
  unread: number
  later: number
  next: string | undefined
}

/** Reads the ledger's scans by other rules than today's, from the newest to the oldest. */
class OlderScansReader {
  readonly #db: Db
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_KEPT })

  constructor(db: Db) {
    this.#db = db
  }

  /** Some of a UTC day before this id. `next` is what to ask for then; undefined if the day has no more. */
  async read(day: number, before: string): Promise<OlderScans> {
    const rows = await this.#db
      .selectFrom('scans')
      .select(columns)
      .where('id', '>=', idFromDay(day))
      .where('id', '<', before)
      .where('rule', 'not like', `${RULES_VERSION}:%`)
      .orderBy('id', 'desc')
      .limit(ROWS)
      .execute()
    const older = rows.filter(({ rule }) => rulesVersionOf(rule) < RULES_VERSION)
    const agents = await this.#agentsOf(older)
    const changes: Change[] = []
    for (const row of older) {
      const agent = agents.get(row.agent)
      if (agent === undefined) continue
      const { device, os, browser, rule } = row
      const was = { class: row.class as ScanClass, rule, device, os, browser }
      changes.push({ row, was, now: this.#readAgain(was, agent) })
    }
    return {
      changes,
      unread: older.length - changes.length,
      later: rows.length - older.length,
      next: rows.length < ROWS ? undefined : rows.at(-1)?.id,
    }
  }

  async #agentsOf(rows: Row[]): Promise<Map<number | null, string>> {
    const ids = [...new Set(rows.map(({ agent }) => agent))].filter((id) => id !== null)
    if (ids.length === 0) return new Map()
    const agents = this.#db.selectFrom('agents').selectAll().where('id', 'in', ids)
    return new Map((await agents.execute()).map(({ id, text }) => [id, text]))
  }

  #readAgain(was: Reading, agent: string): Reading {
    const key = `${textOf(was)}\n${agent}`
    let now = this.#readings.get(key)
    if (!now) {
      now = readAgain(was, agent)
      this.#readings.set(key, now)
    }
    return now
  }
}

/**
 * Writes what today's rules make of a UTC day's scans, whose numbers have to be mended then. Returns false,
 * and writes nothing, if the ledger of that day is not whole any more.
 */
async function rewrite(tx: Tx, day: number, changes: Change[]): Promise<boolean> {
  if (day < (await firstCompleteDay(tx))) return false
  await noteRewritten(tx, day)
  for (const same of Map.groupBy(changes, ({ now }) => textOf(now)).values()) {
    const now = (same[0] as Change).now
    await tx.updateTable('scans').set(now).where('id', 'in', idsOf(same)).execute()
  }
  const left = changes.filter(({ was, now }) => was.class === PERSON && now.class !== PERSON)
  await setFirst(tx, left, 0)
  await setFirst(tx, arrivalsIn(changes), 1)
  return true
}

/**
 * Returns each visitor's earliest of the scans that are a person's now. It counts as their first, and
 * mending leaves them the earliest of all that do: as if they had been taken for a person from the beginning.
 */
function arrivalsIn(changes: Change[]): Change[] {
  const earliest = new Map<string, Change>()
  for (const change of changes) {
    const { was, now, row } = change
    if (was.class === PERSON || now.class !== PERSON || row.visitor === null) continue
    earliest.set(`${row.code_id} ${row.visitor}`, change)
  }
  return [...earliest.values()]
}

async function setFirst(tx: Tx, changes: Change[], first: number): Promise<void> {
  if (changes.length === 0) return
  await tx.updateTable('scans').set({ first }).where('id', 'in', idsOf(changes)).execute()
}

const textOf = ({ class: scanClass, rule, device, os, browser }: Reading) =>
  [scanClass, rule, device, os, browser].join('\n')

const idsOf = (changes: Change[]) => changes.map(({ row }) => row.id)
