import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { hasCome } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { insertRows } from '../../database/json-rows.ts'
import { updateWhere } from '../../database/rows.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { selectLive } from '../codes-store.ts'
import type { DeadCode } from '../types.ts'
import type { Known } from './judge.ts'

export type Check = Selectable<Tables['destination_checks']>

export const checkId = (url: string) => hash('sha256', url, 'hex')

/** A use is written again after this time only: a walk mostly reads. */
const USE_MS = 6 * HOUR_MS

/** Notes that codes use these destinations. A new one is due now. */
export async function noteUsed(db: Db, urls: Set<string>, at: number): Promise<void> {
  const rows = [...urls].map((url) => {
    const { hostname: host } = new URL(url)
    return { id: checkId(url), url, host, used_at: at, due_at: at }
  })
  const ending = sql`on conflict (id) do update set used_at = excluded.used_at
    where destination_checks.used_at < excluded.used_at - ${sql.lit(USE_MS)}`
  await insertRows(db, 'destination_checks', ['used_at', 'due_at'], rows, ending)
}

/** Removes the destinations that walks have not found for a while, the last of which began at this time. */
export async function forgetUnused(db: Db, at: number): Promise<void> {
  const unused = db.deleteFrom('destination_checks').where('used_at', '<', at - USE_MS)
  await unused.execute()
}

/** The findings on these destinations, by their address */
export async function checksOf(db: Db, urls: string[]): Promise<Map<string, Check>> {
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('destination_checks')
    .selectAll()
    .where('id', 'in', urls.map(checkId))
    .execute()
  return new Map(rows.map((row) => [row.url, row]))
}

/** Takes due destinations, of each host first one: none is due again for a day, even if this process dies. */
export async function takeDueChecks(db: Db, now: Date, limit: number): Promise<Check[]> {
  const due = await db
    .selectFrom('destination_checks')
    .selectAll()
    .where(hasCome('due_at', DAY_MS, now))
    .orderBy(sql`row_number() over (partition by host order by due_at)`)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  const ids = due.map(({ id }) => id)
  const taken = db.updateTable('destination_checks').set({ due_at: now.getTime() + DAY_MS })
  if (ids.length > 0) await taken.where('id', 'in', ids).execute()
  return due
}

/** The hosts that are not known as dead, and how many of them fail, with these that just have */
export async function countHosts(
  db: Db,
  failed: string[],
): Promise<[failing: number, all: number]> {
  const isFailing =
    failed.length > 0 ? sql`fails > 0 or host in (${sql.join(failed)})` : sql`fails > 0`
  const { failing, all } = await db
    .selectFrom('destination_checks')
    .select([
      sql<number>`count(distinct case when ${isFailing} then host end)`.as('failing'),
      sql<number>`count(distinct host)`.as('all'),
    ])
    .where(sql<boolean>`health is distinct from 'dead'`)
    .executeTakeFirstOrThrow()
  return [Number(failing), Number(all)]
}

export async function saveCheck(db: Db, id: string, known: Known): Promise<void> {
  await updateWhere(db, 'destination_checks', { id }).set(known).execute()
}

/** Codes whose main destination is dead, by account; those of at most `limit` accounts after one. */
export async function deadCodes(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<DeadCode[]> {
  // A literal: SQLite uses no partial index for a parameter.
  const dead = selectLive(db)
    .where('health', '=', sql.lit('dead' as const))
    .where('paused_at', 'is', null)
  const owners = dead
    .select('workspace_id')
    .distinct()
    .where('workspace_id', '>', after as WorkspaceId)
    .orderBy('workspace_id')
    .limit(limit)
  const rows = await dead
    .select(['id', 'workspace_id as workspaceId', 'name', 'health_since', 'health_seen'])
    .where('workspace_id', 'in', owners)
    .orderBy('workspace_id')
    .orderBy('health_since')
    .execute()
  return rows.map(({ health_since, health_seen, ...code }) => ({
    ...code,
    since: health_since ?? 0,
    seen: health_seen ?? '',
  }))
}
