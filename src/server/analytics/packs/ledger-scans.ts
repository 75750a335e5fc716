import { DAY_MS } from '#contract/time.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { utcDay } from '../instants.ts'
import { PackBuilder, type PackColumn, type PackedScans, packColumns } from './pack.ts'

/** A row of the ledger, with whose code it is. */
type LedgerScan = Pick<Tables['scans'], 'id' | 'at' | 'first' | PackColumn> & { user_id: string }

/** Rows that are read at once */
const ROWS = 10_000

export const secondOf = (at: number) => Math.floor((at % DAY_MS) / 1_000)

/** An account's scans of one UTC day. `part` is the lowest id of them. */
export type DayScans = { userId: string; day: number; part: string; scans: PackedScans }

type Group = { userId: string; day: number; part: string; builder: PackBuilder }

/** Sorts scans by account and UTC day. */
export class ScansByDay {
  readonly #groups = new Map<string, Group>()

  add(userId: string, id: string, at: number, first: number, texts: (string | null)[]) {
    const day = utcDay(at)
    const key = `${day} ${userId}`
    let group = this.#groups.get(key)
    if (!group) {
      group = { userId, day, part: id, builder: new PackBuilder(day) }
      this.#groups.set(key, group)
    }
    if (id < group.part) group.part = id
    group.builder.add(secondOf(at), first, texts)
  }

  /** The groups with at least so many scans, which are then no longer in here. */
  take(least = 1): DayScans[] {
    const taken = [...this.#groups].filter(([, { builder }]) => builder.size >= least)
    for (const [key] of taken) this.#groups.delete(key)
    return taken.map(([, { builder, ...group }]) => ({ ...group, scans: builder.build() }))
  }
}

type Asked = { from: string; to: string; userId?: string }

/**
 * The ledger's scans of these ids, from `from` up to but not including `to`, of all accounts' codes or of
 * one's, in the order of the ids. A scan whose code is purged belongs to nobody and is left out.
 */
export async function* ledgerScans(
  db: Db,
  { from, to, userId }: Asked,
): AsyncGenerator<LedgerScan[]> {
  let rows = db
    .selectFrom('scans')
    .innerJoin('codes', 'codes.id', 'scans.code_id')
    .select(['scans.id', 'scans.at', 'scans.first', 'codes.user_id'])
    .select(packColumns.map((name) => `scans.${name}` as const))
    .where('scans.id', '<', to)
    .orderBy('scans.id')
    .limit(ROWS)
  if (userId !== undefined) rows = rows.where('codes.user_id', '=', userId)
  for (let after = from, isFirst = true; ; isFirst = false) {
    const some = await rows.where('scans.id', isFirst ? '>=' : '>', after).execute()
    yield some
    after = some.at(-1)?.id ?? after
    if (some.length < ROWS) return
  }
}

export function addRow(days: ScansByDay, row: LedgerScan) {
  const texts = packColumns.map((name) => row[name])
  days.add(row.user_id, row.id, row.at, row.first, texts)
}
