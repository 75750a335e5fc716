import { CLOCKS_APART_MS, type Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Listener, listenersTo } from './endpoints-store.ts'
import { addEvents } from './events-store.ts'
import { findMark, moveMark } from './marks-store.ts'
import { SCANS_LINE } from './order.ts'

/** A scan as the ledger has it. */
export type LedgerScan = {
  id: string
  code_id: string
  at: number
  first: number
  isPerson: boolean
} & Record<(typeof SHOWN)[number], string | null>

const SHOWN = [
  ...(['country', 'region', 'city', 'device', 'os', 'browser'] as const),
  ...(['referrer', 'language'] as const),
]

/** What an event tells: how many scans each code had, and of the first ones where and with what. */
export type ScansTold = {
  total: number
  byCode: { codeId: string; scans: number }[]
  scans: object[]
}

export type ScanEventsDeps = {
  db: Db
  clock: Clock
  /** The first id that a scan from this instant on can have. */
  firstScanId: (at: number) => string
  /** The next rows of the ledger between two ids, in their order. */
  scansAfter: (part: { after: string; until: string; limit: number }) => Promise<LedgerScan[]>
  ownersOf: (ids: string[]) => Promise<Map<string, string>>
}

const MARK = 'scans'
/** Of so many scans an event tells each; of more only how many there were. */
export const TOLD_EACH = 1_000
/** An endpoint gets at most one event in this time. */
export const EVERY_MS = 1_000
/** Processes bring their scans into the ledger one after the other: by then all have. */
export const SETTLED_MS = 3_000
const ROWS_AT_ONCE = 5_000
/** Rows of one round: beyond them the next one goes on. */
const PARTS_A_ROUND = 20

/**
 * Tells the endpoints that asked for it which codes persons have scanned since the last round: one event
 * each. It reads the ledger from where it was, all accounts at once, and never touches the redirect or
 * the transaction of a scan.
 * @returns whether there may be more
 */
export async function tellScans(deps: ScanEventsDeps): Promise<boolean> {
  const { db, clock, firstScanId, scansAfter } = deps
  const listeners = await listenersTo(db, 'code.scanned')
  const [earliest] = listeners.map(({ scans_from }) => scans_from).sort()
  if (earliest === undefined) return false
  const now = clock().getTime()
  const mark = await findMark(db, MARK)
  if (mark && mark.at <= now && now - mark.at < EVERY_MS) return true
  const told = new Map(listeners.map((listener) => [listener.id, emptyTold()]))
  const until = firstScanId(now - SETTLED_MS)
  // After a clock has gone back, scans have lower ids than those that were told.
  const isBack = mark && mark.at > now + CLOCKS_APART_MS
  const place = isBack ? firstScanId(now - CLOCKS_APART_MS) : (mark?.place ?? '')
  let [after = ''] = [place, earliest].sort().reverse()
  let isFull = true
  for (let part = 0; isFull && part < PARTS_A_ROUND; part++) {
    const rows = await scansAfter({ after, until, limit: ROWS_AT_ONCE })
    await addAll(deps, listeners, told, rows)
    isFull = rows.length === ROWS_AT_ONCE
    after = rows.at(-1)?.id ?? after
  }
  const isNew = after !== mark?.place
  if (isNew) await transact(db, (tx) => write(tx))
  const later = await scansAfter({ after, until: '~', limit: 1 })
  return later.length > 0

  async function write(tx: Parameters<Parameters<typeof transact>[1]>[0]) {
    if (!(await moveMark(tx, MARK, { from: mark, to: { at: now, place: after } }))) return
    for (const { id, user_id: userId } of listeners) {
      const data = told.get(id)
      if (!data || data.total === 0) continue
      const event = { userId, type: 'code.scanned' as const, endpoints: [id] }
      await addEvents(tx, event, [{ line: SCANS_LINE, data: presented(data) }], clock())
    }
  }
}

type Told = { total: number; byCode: Map<string, number>; scans: object[] }

const emptyTold = (): Told => ({ total: 0, byCode: new Map(), scans: [] })

async function addAll(
  { ownersOf }: ScanEventsDeps,
  listeners: Listener[],
  told: Map<string, Told>,
  rows: LedgerScan[],
): Promise<void> {
  const persons = rows.filter(({ isPerson }) => isPerson)
  if (persons.length === 0) return
  const owners = await ownersOf([...new Set(persons.map(({ code_id }) => code_id))])
  const byOwner = Map.groupBy(listeners, ({ user_id }) => user_id)
  for (const scan of persons) {
    for (const { id, scans_from } of byOwner.get(owners.get(scan.code_id) ?? '') ?? []) {
      const own = told.get(id)
      if (own && scan.id >= scans_from) add(own, scan)
    }
  }
}

function add(told: Told, scan: LedgerScan) {
  const { id, code_id: codeId, at, first } = scan
  told.total++
  told.byCode.set(codeId, (told.byCode.get(codeId) ?? 0) + 1)
  if (told.scans.length >= TOLD_EACH) return
  const shown = Object.fromEntries(SHOWN.map((name) => [name, scan[name]]))
  const instant = new Date(at).toISOString()
  told.scans.push({ id, codeId, at: instant, isFirst: first === 1, ...shown })
}

function presented({ total, byCode, scans }: Told): ScansTold {
  return {
    total,
    byCode: [...byCode].map(([codeId, scans]) => ({ codeId, scans })),
    scans,
  }
}

/** Counts of several events as one, without the single scans. */
export function mergedScans(parts: ScansTold[]): ScansTold {
  const all = emptyTold()
  for (const { total, byCode } of parts) {
    all.total += total
    for (const { codeId, scans } of byCode) {
      all.byCode.set(codeId, (all.byCode.get(codeId) ?? 0) + scans)
    }
  }
  return presented(all)
}
