import { LRUCache } from 'lru-cache'
import type { ScanClass } from '#contract/analytics/figure-values.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import {
  type Reading,
  RULES_VERSION,
  readAgain,
  rulesVersionOf,
} from '../../record/classification.ts'
import { firstCompleteDay } from '../ledger/marks.ts'
import { idFromDay } from '../ledger/scan-ids.ts'
import { noteRewritten } from './rewritten-day.ts'

/** Rows of the ledger that are read at once, and the most that one transaction changes */
export const ROWS = 2_000
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
export type OlderScans = {
  changes: Change[]
  unread: number
  later: number
  next: string | undefined
}

/** Reads the ledger's scans by other rules than today's, from the newest to the oldest. */
export class OlderScansReader {
  readonly #db: Db
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_KEPT })

  constructor(db: Db) {
    this.#db = db
  }

  /** Some of a UTC day before this id. `next` is what to ask for then; undefined if the day has no more. */
  async read(day: number, before = idFromDay(day + 1)): Promise<OlderScans> {
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
 * and writes nothing, if the ledger of that day is no longer whole.
 */
export async function rewrite(tx: Tx, day: number, changes: Change[]): Promise<boolean> {
  if (day < (await firstCompleteDay(tx))) return false
  if (changes.length === 0) return true
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
 * Of scans that are a person's now each visitor's earliest. It counts as his first, and mending leaves
 * him the earliest of all that do: as if he had been taken for a person from the beginning.
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
