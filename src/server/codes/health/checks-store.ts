import { type NotNull, type Selectable, sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { hasCome } from '../../clock.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { ofAccounts, selectLive } from '../codes-store.ts'
import type { DeadCode } from '../types.ts'

export type Check = Selectable<Tables['destination_checks']>

/** Takes due destinations: none is due again for a day, even if this process dies. */
export async function takeDueChecks(db: Db, now: Date, limit: number): Promise<Check[]> {
  const due = await db
    .selectFrom('destination_checks')
    .selectAll()
    .where(hasCome('due_at', DAY_MS, now))
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

/** Codes whose main destination is dead, by account; those of at most `limit` accounts after one. */
export async function deadCodes(
  db: Db,
  part: { after: string; limit: number },
): Promise<DeadCode[]> {
  // A literal: SQLite uses no partial index for a parameter.
  const dead = selectLive(db)
    .where('health', '=', sql.lit('dead' as const))
    .where('paused_at', 'is', null)
  return ofAccounts(dead, part)
    .select(['id', 'workspace_id as workspaceId', 'name'])
    .select(['health_since as since', 'health_seen as seen'])
    .orderBy('health_since')
    .$narrowType<{ since: NotNull; seen: NotNull }>()
    .execute()
}
