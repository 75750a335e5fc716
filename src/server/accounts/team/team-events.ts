import { sql } from 'kysely'
import { workspaceEvents } from '#contract/accounts/audit.ts'
import { EVENTS_SHOWN, type WorkspaceEvent } from '#contract/accounts/team.ts'
import type { Actor } from '../../actor.ts'
import { NOBODY } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { iso } from '../../dates.ts'

/** The last events of a workspace, the newest first */
export async function listWorkspaceEvents(
  db: Db,
  { workspaceId, personId }: Actor,
): Promise<WorkspaceEvent[]> {
  const rows = await db
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
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: iso(row.at),
    event: row.event as WorkspaceEvent['event'],
    by: row.user_id === NOBODY ? 'Tessera' : row.by,
    isYou: row.user_id === personId,
    program: row.program,
    about: row.code ?? row.other ?? (row.subject?.includes('@') ? row.subject : null),
  }))
}
