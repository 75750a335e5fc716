import { DAY_MS } from '#contract/time.ts'
import type { Db, Tables } from '../../../database/schema.ts'
import { utcDay } from '../../../dates.ts'
import { PackBuilder, type PackColumn, type PackedScans, packColumns } from './pack.ts'

/** A row of the ledger, with whose code it is. */
type LedgerScan = Pick<Tables['scans'], 'id' | 'at' | 'first' | PackColumn> & {
  user_id: string | null
}

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

  /** All groups, which can grow further. */
  all(): PackedScans[] {
    return [...this.#groups.values()].map(({ builder }) => builder.build())
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
 * The ledger's scans of these ids, from `from` up to but not including `to`, of all accounts or of one, in
 * the order of the ids. The code of a scan that belongs to nobody is purged.
 */
export async function* ledgerScans(
  db: Db,
  { from, to, userId }: Asked,
): AsyncGenerator<LedgerScan[]> {
  // The conditions are such that SQLite goes by the ids: the ledger has no index by code.
  const own = db
    .selectFrom('codes')
    .select('id')
    .where('user_id', '=', userId ?? '')
  const rows = db
    .selectFrom('scans')
    .leftJoin('codes', 'codes.id', 'scans.code_id')
    .select(['scans.id', 'scans.at', 'scans.first', 'codes.user_id'])
    .select(packColumns.map((name) => `scans.${name}` as const))
    .where('scans.id', '<', to)
    .$if(userId !== undefined, (query) => query.where('scans.code_id', 'in', own))
    .orderBy('scans.id')
    .limit(ROWS)
  for (let after = from, isFirst = true; ; isFirst = false) {
    const some = await rows.where('scans.id', isFirst ? '>=' : '>', after).execute()
    yield some
    after = some.at(-1)?.id ?? after
    if (some.length < ROWS) return
  }
}

/** Adds a scan, unless it belongs to nobody. */
export function addRow(days: ScansByDay, row: LedgerScan) {
  if (row.user_id === null) return
  const texts = packColumns.map((name) => row[name])
  days.add(row.user_id, row.id, row.at, row.first, texts)
}
