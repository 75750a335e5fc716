import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { firstDayOfMonth, monthOf, utcDay } from '../../../dates.ts'
import { dayOfId, idFromDay } from '../scan-ids.ts'
import { raiseFirstCompleteDay } from './marks.ts'

/*
 * On PostgreSQL the ledger is partitioned by the month of its scans' ids, so that old months go without
 * a row being touched. The table that stood before is its first partition. Scans of an instant without a
 * partition (a clock was wrong) go to the default one.
 */

const FIRST = 'scans_first'
const DEFAULT = 'scans_default'
/** How long writers may wait for one of our locks; the next step tries again. */
const LOCK_TIMEOUT = '2s'
const MONTHS_AHEAD = 2
/** The lock of a change of partitions. Any number that nothing else in the database uses. */
const PARTITIONS_LOCK = 7_203_441_017

const idFromMonth = (month: number) => idFromDay(firstDayOfMonth(month))
const nameOf = (month: number) =>
  `scans_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`

/**
 * Makes the ledger partitioned, or a partition that it lacks. Returns whether there is more to do.
 *
 * Clocks may be further apart than a job's lease lasts, so two processes may do this at the same time,
 * each for the months of its clock. So each step takes a lock and then looks what is still to be done.
 */
export async function partitionStep(database: Database, now: Date): Promise<boolean> {
  if (database.location.engine !== 'postgres') return false
  const { db } = database
  const month = monthOf(utcDay(now.getTime()))
  if (!(await isPartitioned(db))) return inLocks(db, (tx) => attachStandingTable(tx, month))
  if ((await lackingMonth(db, month)) === undefined) return false
  return inLocks(db, async (tx) => {
    const lacking = await lackingMonth(tx, month)
    if (lacking !== undefined) await addPartition(tx, lacking)
  })
}

/** The first of this month and the next ones that has no partition. */
async function lackingMonth(db: Db, month: number): Promise<number | undefined> {
  const partitions = await partitionsOf(db)
  const ends = new Set(partitions.map(({ to }) => to))
  const first = partitions.find(({ name }) => name === FIRST)?.to ?? ''
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => month + ahead)
  return months.find((each) => first <= idFromMonth(each) && !ends.has(idFromMonth(each + 1)))
}

async function isPartitioned(db: Db): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select relkind as kind from pg_class where oid = 'scans'::regclass`.execute(db)
  return rows[0]?.kind === 'p'
}

type Partition = { name: string; to: string | undefined }

/** Each partition with the id that it ends before; the default one has none. */
async function partitionsOf(db: Db): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i inner join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'scans'::regclass`.execute(db)
  return rows.map(({ name, bounds }) => ({ name, to: /TO \('(\w+)'\)/.exec(bounds)?.[1] }))
}

/**
 * The bound lies a whole month ahead, and behind every scan of a clock that was ahead. Scans wait in their
 * journal while PostgreSQL reads the table once.
 */
async function attachStandingTable(tx: Tx, now: number): Promise<void> {
  if (await isPartitioned(tx)) return
  // Before we look for the newest, so that none comes after that.
  await sql`lock table scans in access exclusive mode`.execute(tx)
  const newest = await tx
    .selectFrom('scans')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const month = Math.max(now + 2, newest ? monthOf(dayOfId(newest.id)) + 1 : 0)
  await sql`alter table scans rename to ${sql.table(FIRST)}`.execute(tx)
  await sql`alter index scans_pkey rename to ${sql.ref(`${FIRST}_pkey`)}`.execute(tx)
  // An earlier version may have begun to attach it.
  await sql`alter table ${sql.table(FIRST)} drop constraint if exists scans_before_partitions`.execute(
    tx,
  )
  await sql`create table scans (like ${sql.table(FIRST)} including defaults)
    partition by range (id)`.execute(tx)
  await sql`alter table scans add constraint scans_pkey primary key (id)`.execute(tx)
  await sql`alter table scans attach partition ${sql.table(FIRST)}
    for values from (minvalue) to (${sql.lit(idFromMonth(month))})`.execute(tx)
  await sql`create table ${sql.table(DEFAULT)} partition of scans default`.execute(tx)
}

/** Scans that are in the default partition move to their month. */
async function addPartition(tx: Tx, month: number): Promise<void> {
  const table = sql.table(nameOf(month))
  const [from, to] = [idFromMonth(month), idFromMonth(month + 1)].map((id) => sql.lit(id))
  await sql`create table ${table} (like scans including defaults including indexes)`.execute(tx)
  await sql`lock table ${sql.table(DEFAULT)} in access exclusive mode`.execute(tx)
  await sql`with moved as (delete from ${sql.table(DEFAULT)} where id >= ${from} and id < ${to} returning *)
    insert into ${table} select * from moved`.execute(tx)
  await sql`alter table scans attach partition ${table} for values from (${from}) to (${to})`.execute(
    tx,
  )
}

/** Drops a partition whose scans are all before a UTC day; returns whether there was one. */
export async function dropPartitionsBefore({ db }: Database, day: number): Promise<boolean> {
  if (!(await isPartitioned(db))) return false
  const old = (await partitionsOf(db)).find(({ to }) => to !== undefined && to <= idFromDay(day))
  if (!old) return false
  await raiseFirstCompleteDay(db, day)
  return inLocks(db, async (tx) => {
    await sql`drop table if exists ${sql.table(old.name)}`.execute(tx)
  })
}

/** Returns false, and does nothing, while another process changes partitions. */
function inLocks(db: Db, work: (tx: Tx) => Promise<void>): Promise<boolean> {
  return transact(db, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(PARTITIONS_LOCK)}) as "isOurs"`.execute(tx)
    if (!rows[0]?.isOurs) return false
    await work(tx)
    return true
  })
}
