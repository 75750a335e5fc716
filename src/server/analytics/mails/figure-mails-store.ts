import type { Selectable } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { type Every, latestPeriod, nextTurn } from './mail-times.ts'

/** An account that is mailed its figures. */
export type FigureMailRow = Omit<Selectable<Tables['figure_mails']>, 'every'> & { every: Every }

type Setting = { workspaceId: WorkspaceId; every: Every; timeZone: string }

/** The setting of an account; undefined if the mails are off. */
export async function findFigureMails(db: Db, workspaceId: WorkspaceId) {
  const row = await db
    .selectFrom('figure_mails')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row as FigureMailRow | undefined
}

/** Switches the mails on, or changes them. Past periods are not sent. */
export async function saveFigureMails(
  tx: Tx,
  { workspaceId, every, timeZone }: Setting,
  now: Date,
): Promise<void> {
  const known = await findFigureMails(tx, workspaceId)
  const latest = latestPeriod(every, timeZone, now).last
  // After a change of the zone the period that ends now still comes, and none comes twice.
  const toldUntil = known?.every === every ? known.told_until : latest
  const isDue = latest > toldUntil
  const row = {
    every,
    time_zone: timeZone,
    told_until: toldUntil,
    next_at: isDue ? now.getTime() : nextTurn(every, timeZone, now).getTime(),
  }
  await tx
    .insertInto('figure_mails')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
}

/** The account's clocks show another time from now on. */
export async function moveFigureMails(
  tx: Tx,
  { workspaceId, timeZone }: Omit<Setting, 'every'>,
  now: Date,
): Promise<void> {
  const known = await findFigureMails(tx, workspaceId)
  if (known && known.time_zone !== timeZone) {
    await saveFigureMails(tx, { workspaceId, every: known.every, timeZone }, now)
  }
}

/** Switches the mails off. Returns false if they were off. */
export async function stopFigureMails(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  return changesRow(db.deleteFrom('figure_mails').where('workspace_id', '=', workspaceId))
}

/** No turn is so far ahead: what is was set by a clock that has gone back since. */
const AHEAD_MAX_MS = 40 * DAY_MS

/** The accounts that have waited longest for the job. */
export async function dueFigureMails(db: Db, now: Date, limit: number): Promise<FigureMailRow[]> {
  const at = now.getTime()
  const rows = await db
    .selectFrom('figure_mails')
    .selectAll()
    .where((row) => row.or([row('next_at', '<=', at), row('next_at', '>', at + AHEAD_MAX_MS)]))
    .orderBy('next_at')
    .limit(limit)
    .execute()
  return rows as FigureMailRow[]
}

/** Moves a row on, if it is still as it was read: of several processes one does. */
export async function moveOn(
  db: Db,
  row: FigureMailRow,
  to: { told_until?: string; next_at: number },
): Promise<boolean> {
  return changesRow(
    db
      .updateTable('figure_mails')
      .set(to)
      .where('workspace_id', '=', row.workspace_id)
      .where('next_at', '=', row.next_at)
      .where('every', '=', row.every)
      .where('time_zone', '=', row.time_zone),
  )
}
