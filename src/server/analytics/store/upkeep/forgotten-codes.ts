import { PostgresAdapter, sql } from 'kysely'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connect.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { utcDay } from '../../../dates.ts'
import type { Job } from '../../../jobs.ts'
import { markOf, noteLedgerChange, PURGES, setMark } from '../ledger/marks.ts'
import { holdTotals } from '../ledger/totals.ts'
import { decode, without } from '../packs/pack.ts'
import { joinStep, packStep } from '../packs/packing.ts'
import {
  addPacks,
  changePacks,
  type NewPack,
  type PackRow,
  type PacksDatabase,
  packOf,
  packsState,
  removePacks,
} from '../packs/packs-store.ts'
import { VISITOR_DAYS } from '../scan.ts'
import type { PurgedCode } from '../scans-store.ts'

/*
 * A purged code leaves the numbers at once. Two walks then remove its scans, one through the ledger and
 * one through its account's packs; forgotten_codes.begun says how far a code is:
 * 0 waits for the ledger · 1 goes from the ledger · 2 waits for the packs · 3 goes from the packs · 4 is
 * gone. Its id stays, so that scans which come late from a journal are dropped (folding-ledger.ts).
 */

/** Codes handled in one walk through the ledger. */
const CODES_MAX = 500
/** Ledger rows looked at in one step, and the most that it deletes. */
const ROWS = 2_000
/** Parts of packs that one step looks at, and parts that it removes unseen */
const PARTS_READ = 5
const PARTS_REMOVED = 50
/** In ledger_marks: the `place` is the last id, or part of the account, that the walk has passed. */
const LEDGER_WALK = 'forget-scans'
const PACKS_WALK = 'forget-packs'

const tablesByCode = [
  'scan_counts',
  'scan_facets',
  'scan_totals',
  'facet_totals',
  'totalled_codes',
] as const

/**
 * Removes these codes' scans from all numbers, and notes that they must go from the ledger and from its
 * packs too. It comes in the transaction in which the codes go.
 * @param codes at most 1,000
 */
export async function forgetScans(tx: Tx, codes: PurgedCode[]): Promise<void> {
  if (codes.length === 0) return
  // No fold under way has looked for these codes before they are noted.
  const isPostgres = tx.getExecutor().adapter instanceof PostgresAdapter
  if (isPostgres) await sql.raw(holdTotals).execute(tx)
  const codeIds = codes.map(({ id }) => id)
  for (const table of tablesByCode) {
    await tx.deleteFrom(table).where('code_id', 'in', codeIds).execute()
  }
  await tx
    .insertInto('forgotten_codes')
    .values(codes.map(({ id, workspaceId }) => ({ code_id: id, workspace_id: workspaceId })))
    .onConflict((conflict) => conflict.column('code_id').doNothing())
    .execute()
  await sql`insert into ledger_marks (name, at, place) values (${PURGES}, 1, '')
    on conflict (name) do update set at = ledger_marks.at + 1`.execute(tx)
}

/**
 * Removes some ledger rows of forgotten codes; returns whether there is more to do. The ledger has no
 * index by code, because that would cost each scan more than all its other writes. So we walk it from
 * end to end.
 */
export async function forgetStep({ db, reads }: Database, now: Date): Promise<boolean> {
  const ids = await codesOfWalk(db, 1)
  if (ids.length === 0) return beginLedgerWalk(db, utcDay(now.getTime()))
  const after = (await markOf(db, LEDGER_WALK))?.place ?? ''
  const end = await reads
    .selectFrom('scans')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .offset(ROWS - 1)
    .limit(1)
    .executeTakeFirst()
  let rows = reads.selectFrom('scans').select('id').where('id', '>', after)
  if (end) rows = rows.where('id', '<=', end.id)
  const found = (await rows.where('code_id', 'in', ids).execute()).map(({ id }) => id)
  await transact(db, async (tx) => {
    if (found.length > 0) {
      await tx.deleteFrom('scans').where('id', 'in', found).execute()
      await noteLedgerChange(tx)
    }
    if (end) await setMark(tx, LEDGER_WALK, now.getTime(), end.id)
    else await endLedgerWalk(tx)
  })
  return true
}

async function codesOfWalk(db: Db, begun: number): Promise<string[]> {
  const codes = db.selectFrom('forgotten_codes').select('code_id').where('begun', '=', begun)
  return (await codes.limit(CODES_MAX).execute()).map(({ code_id }) => code_id)
}

/** Codes that name an account go from its packs next. */
async function endLedgerWalk(tx: Tx): Promise<void> {
  const begun = sql<number>`case when workspace_id is null then 4 else 2 end`
  await tx.updateTable('forgotten_codes').set({ begun }).where('begun', '=', 1).execute()
}

async function beginLedgerWalk(db: Db, today: number): Promise<boolean> {
  const ids = await codesOfWalk(db, 0)
  if (ids.length === 0) return false
  await transact(db, async (tx) => {
    for (let day = today - VISITOR_DAYS; day <= today; day++) {
      const seen = tx.deleteFrom('visitors').where('day', '=', day)
      await seen.where('code_id', 'in', ids).execute()
    }
    await setMark(tx, LEDGER_WALK, 0)
    await tx.updateTable('forgotten_codes').set({ begun: 1 }).where('code_id', 'in', ids).execute()
  })
  return true
}

/** Whether purged codes may still have scans in packs. */
export async function hasPacksToForget(db: Db): Promise<boolean> {
  const due = db.selectFrom('forgotten_codes').select('code_id').where('begun', 'in', [2, 3])
  return (await due.limit(1).executeTakeFirst()) !== undefined
}

/** Removes scans of purged codes from some of their account's packs. Returns whether there is more to do. */
export async function forgetPacksStep(database: PacksDatabase): Promise<boolean> {
  const { reads } = database
  const walked = await reads
    .selectFrom('forgotten_codes')
    .select(['code_id', 'workspace_id'])
    .where('begun', '=', 3)
    .execute()
  const workspaceId = walked[0]?.workspace_id
  if (typeof workspaceId !== 'string') return beginPacksWalk(database)
  const codes = new Set<string | null>(walked.map(({ code_id }) => code_id))
  const state = await packsState(reads)
  const seen = await nextParts(reads, workspaceId)
  const last = seen.at(-1)
  const gone: PackRow[] = []
  const added: NewPack[] = []
  for (const row of seen) {
    const scans = without(decode(row.data), codes)
    if (!scans) continue
    gone.push(row)
    if (scans.size > 0) added.push(packOf({ workspaceId, day: row.day, part: row.part, scans }))
  }
  const replace = async (tx: Tx, version: number) => {
    await removePacks(tx, gone)
    await addPacks(tx, added, version)
    if (!last) {
      const done = tx.updateTable('forgotten_codes').set({ begun: 4, workspace_id: null })
      await done.where('begun', '=', 3).execute()
    }
    await setMark(tx, PACKS_WALK, last?.day ?? 0, last?.part ?? '')
  }
  await changePacks(database, state, replace, { mayFold: true })
  return true
}

/** Does a step of all that the packs need. Returns whether there may be more to do. */
export async function packsStep(database: PacksDatabase, now: Date): Promise<boolean> {
  return (
    (await packStep(database, now)) ||
    (await joinStep(database)) ||
    (await forgetPacksStep(database))
  )
}

/**
 * From here on no process writes packs with these codes: the change of packs stops those that have read
 * the ledger before the codes were purged, and while folding waits no late scan of them is on its way.
 */
async function beginPacksWalk(database: PacksDatabase): Promise<boolean> {
  const state = await packsState(database.reads)
  const next = await database.reads
    .selectFrom('forgotten_codes')
    .select('workspace_id')
    .where('begun', '=', 2)
    .where('workspace_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!next) return false
  await changePacks(database, state, async (tx) => {
    const due = tx.updateTable('forgotten_codes').set({ begun: 3 }).where('begun', '=', 2)
    await due.where('workspace_id', '=', next.workspace_id).execute()
    await setMark(tx, PACKS_WALK, 0)
  })
  return true
}

/** The account's parts behind the walk's place. */
async function nextParts(db: Db, workspaceId: WorkspaceId): Promise<PackRow[]> {
  const { at: day, place } = (await markOf(db, PACKS_WALK)) ?? { at: 0, place: '' }
  return db
    .selectFrom('scan_packs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', day)
    .where((row) => row.or([row('day', '>', day), row('part', '>', place)]))
    .orderBy('day')
    .orderBy('part')
    .limit(PARTS_READ)
    .execute()
}

/**
 * Removes all packs of an account whose codes are purged, and its name from what is noted of them. It can
 * be repeated. When it has ended, no process writes packs of the account any more, as after
 * `beginPacksWalk`.
 */
export async function forgetAccount(database: PacksDatabase, workspaceId: WorkspaceId) {
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    await changePacks(database, await packsState(database.db), async (tx) => {
      const parts = await tx
        .selectFrom('scan_packs')
        .select(['workspace_id', 'day', 'part'])
        .where('workspace_id', '=', workspaceId)
        .limit(PARTS_REMOVED)
        .execute()
      left = parts.length
      await removePacks(tx, parts)
    })
  }
  const noted = () =>
    database.db.updateTable('forgotten_codes').where('workspace_id', '=', workspaceId)
  // From the packs they are gone. Where they are still in the ledger, that walk forgets them.
  await noted().set({ begun: 1, workspace_id: null }).where('begun', '>=', 1).execute()
  await noted().set({ workspace_id: null }).execute()
}

/** Another process may be in tomorrow already. */
const DAYS_AHEAD = 2

/** Deletes who was seen where once no scan of a journal can be that late. */
export const forgetVisitors = (db: Db, clock: Clock): Job => ({
  name: 'forget-visitors',
  everyMs: HOUR_MS,
  run: async () => {
    const today = utcDay(clock().getTime())
    const [first, last] = [today - VISITOR_DAYS, today + DAYS_AHEAD]
    const gone = sql<boolean>`(day < ${first} or day > ${last})`
    await db.deleteFrom('visitors').where(gone).execute()
  },
})
