import { sql } from 'kysely'
import type { z } from 'zod'
import { workspaceEvents } from '#contract/audit.ts'
import type { eventsPart, WorkspaceEvent } from '#contract/team.ts'
import type { Actor } from '../../actor.ts'
import type { Db } from '../../database/schema.ts'
import { iso } from '../../dates.ts'

const EVENTS_PAGE = 50

/** A part of what was done in a workspace, the newest first; after the event that `cursor` names. */
export async function listWorkspaceEvents(
  db: Db,
  { workspaceId, personId }: Actor,
  cursor: string | undefined,
): Promise<z.infer<typeof eventsPart>> {
  let query = db
    .selectFrom('audit_entries as entry')
    .leftJoin('users as person', 'person.id', 'entry.user_id')
    .leftJoin('codes as code', (join) =>
      join.onRef('code.id', '=', 'entry.subject').on('code.workspace_id', '=', workspaceId),
    )
    .leftJoin('users as other', (join) => join.on(sql`other.id`, '=', sql`entry.subject`))
    .select(['entry.id', 'entry.at', 'entry.event', 'entry.program', 'entry.subject'])
    .select(['person.name as by', 'entry.user_id', 'code.name as code', 'other.name as other'])
    .where('entry.workspace_id', '=', workspaceId)
    .where('entry.event', 'in', workspaceEvents)
  const [at, id] = cursor?.split(' ') ?? []
  if (at && id) {
    query = query.where((row) =>
      row.or([
        row('entry.at', '<', Number(at)),
        row.and([row('entry.at', '=', Number(at)), row('entry.id', '<', id)]),
      ]),
    )
  }
  const rows = await query
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(EVENTS_PAGE + 1)
    .execute()
  const items = rows.slice(0, EVENTS_PAGE).map((row) => ({
    id: row.id,
    at: iso(row.at),
    event: row.event as WorkspaceEvent['event'],
    by: row.by,
    isYou: row.user_id === personId,
    program: row.program,
    about: row.code ?? row.other ?? (row.subject?.includes('@') ? row.subject : null),
  }))
  const last = rows.length > EVENTS_PAGE ? rows[EVENTS_PAGE - 1] : undefined
  return { items, nextCursor: last ? `${last.at} ${last.id}` : null }
}
