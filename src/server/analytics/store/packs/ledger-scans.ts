import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { DAY_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import type { Db, Tables } from '../../../database/schema.ts'
import { utcDay } from '../../../dates.ts'
import { orMade } from '../../../or-made.ts'
import type { ScanColumn } from '../scan.ts'
import { idFrom } from '../scan-ids.ts'
import type { PackedScans } from '../scans-store.ts'
import { type DayScans, PackBuilder, packColumns } from './pack.ts'
import { packsState } from './packs-store.ts'

/** Older scans have no account of their own. Of purged codes those have none at all. */
export const WORKSPACE = sql<WorkspaceId | null>`coalesce(scans.workspace_id,
  (select workspace_id from codes where codes.id = scans.code_id))`

/** A row of the ledger, with whose it is. */
type LedgerScan = Pick<Tables['scans'], 'id' | 'at' | 'first' | ScanColumn> & {
  workspace_id: WorkspaceId | null
}

/** Rows that are read at once */
const ROWS = 10_000

export const secondOf = (at: number) => Math.floor((at % DAY_MS) / 1_000)

type Group = { workspaceId: WorkspaceId; day: number; part: string; builder: PackBuilder }

/** Sorts scans by account and UTC day. */
export class ScansByDay {
  readonly #groups = new Map<string, Group>()

  add(workspaceId: WorkspaceId, id: string, at: number, first: number, texts: (string | null)[]) {
    const day = utcDay(at)
    const group = orMade(this.#groups, `${day} ${workspaceId}`, () => ({
      workspaceId,
      day,
      part: id,
      builder: new PackBuilder(day),
    }))
    if (id < group.part) group.part = id
    group.builder.add(secondOf(at), first, texts)
  }

  /** All groups, which can grow further. */
  all(): PackedScans[] {
    return [...this.#groups.values()].map(({ builder }) => builder.build())
  }

  /** Takes out the groups with at least `least` scans. */
  take(least = 1): DayScans[] {
    const taken = [...this.#groups].filter(([, { builder }]) => builder.size >= least)
    for (const [key] of taken) this.#groups.delete(key)
    return taken.map(([, { builder, ...group }]) => ({ ...group, scans: builder.build() }))
  }
}

type Asked = { from: string; to: string; workspaceId?: WorkspaceId }

/**
 * The ledger's scans of these ids, from `from` up to but not including `to`, of all accounts or of one, in
 * the order of the ids.
 */
export async function* ledgerScans(db: Db, { from, to, workspaceId }: Asked) {
  const rows = db
    .selectFrom('scans')
    .select(['id', 'at', 'first', WORKSPACE.as('workspace_id'), ...packColumns])
    .where('id', '<', to)
    .$if(workspaceId !== undefined, (query) => query.where(WORKSPACE, '=', workspaceId ?? null))
    .orderBy('id')
    .limit(ROWS)
  for (let after = from, isFirst = true; ; isFirst = false) {
    const some = await rows.where('id', isFirst ? '>=' : '>', after).execute()
    yield some
    after = some.at(-1)?.id ?? after
    if (some.length < ROWS) return
  }
}

/** Adds a scan, unless it has no account. */
export function addRow(days: ScansByDay, row: LedgerScan) {
  if (row.workspace_id === null) return
  const texts = packColumns.map((name) => row[name])
  days.add(row.workspace_id, row.id, row.at, row.first, texts)
}

/** Rows of the ledger, of all accounts, that may have to be looked at. */
const LEDGER_MAX = 1_000_000
/** Accounts whose scans are kept, and most of one */
const KEPT_ACCOUNTS = 10
const KEPT_MAX = 50_000

/** The newest scans of an account: those with the ledger's ids from `from` to `last`, among `stored` of all. */
type Known = {
  from: string
  changes: number
  last: string
  stored: number
  days: ScansByDay
  scans: PackedScans[]
}

/** Where an id would be that comes right behind this one: all have the same length. */
const behind = (id: string) => `${id}0`

/**
 * Accounts' scans that are not packed yet. To read ten thousand rows takes 20 ms, and a drawer asks a
 * dozen times for the same: so only those are read that have come since. A scan may also come late, with
 * an older id; then the number of ids is another one, and all are read again.
 */
export class NewestScans {
  readonly #known = new LRUCache<string, Known>({ max: KEPT_ACCOUNTS })

  /** By UTC day, none if there can be none before `to`; undefined if the ledger has too many that are not packed. */
  async of(db: Db, workspaceId: WorkspaceId, to: number): Promise<PackedScans[] | undefined> {
    const { until, changes } = await packsState(db)
    if (to <= until) return []
    const from = idFrom(until)
    const last = await newestId(db, from)
    if (last === undefined) return []
    let known = this.#known.get(workspaceId)
    const isRight =
      known?.from === from &&
      known.changes === changes &&
      known.stored === (await countIds(db, from, known.last))
    if (!known || !isRight) {
      known = { from, changes, last: from, stored: 0, days: new ScansByDay(), scans: [] }
    }
    const next = known.stored === 0 ? from : behind(known.last)
    if (known.stored === 0 || last > known.last) {
      const stored = known.stored + (await countIds(db, next, last))
      if (stored > LEDGER_MAX) return undefined
      let hasMore = false
      for await (const rows of ledgerScans(db, { from: next, to: behind(last), workspaceId })) {
        for (const row of rows) addRow(known.days, row)
        hasMore ||= rows.length > 0
      }
      known.last = last
      known.stored = stored
      if (hasMore) known.scans = known.days.all()
    }
    const size = known.scans.reduce((sum, each) => sum + each.size, 0)
    if (size <= KEPT_MAX) this.#known.set(workspaceId, known)
    else this.#known.delete(workspaceId)
    return known.scans
  }
}

async function newestId(db: Db, from: string): Promise<string | undefined> {
  const ids = db.selectFrom('scans').select('id').where('id', '>=', from)
  return (await ids.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}

/** Up to one more than may be read. */
async function countIds(db: Db, from: string, last: string): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select count(*) as ids from (select id from scans
    where id >= ${from} and id <= ${last} limit ${LEDGER_MAX + 1}) as ids`.execute(db)
  return Number(rows[0]?.ids)
}
