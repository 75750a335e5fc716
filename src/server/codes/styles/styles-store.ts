import { fieldsOf, type LookFields } from '#contract/pictures/pictures.ts'
import { STYLES_MAX } from '#contract/pictures/styles.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { Entitlements } from '../../billing/types.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'

export type StyleRow = Tables['looks']

/** The account's styles, the oldest first: none changes its place. */
export async function listStyles(db: Db, workspaceId: WorkspaceId): Promise<StyleRow[]> {
  return db
    .selectFrom('looks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('made_at')
    .orderBy('id')
    .limit(STYLES_MAX)
    .execute()
}

const PLAIN_LOOK = fieldsOf(DEFAULT_LOOK)

/**
 * The look that the account's new codes begin with: that of its default style. Shapes, logo and frame are left out
 * if the plan has none.
 */
export async function lookOfNew(
  db: Db,
  workspaceId: WorkspaceId,
  { hasArtwork }: Pick<Entitlements, 'hasArtwork'>,
): Promise<LookFields> {
  const row = await db
    .selectFrom('looks')
    .select('look')
    .where('workspace_id', '=', workspaceId)
    .where('is_default', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (!row) return PLAIN_LOOK
  const look = fieldsIn(row)
  return hasArtwork ? look : { ...look, artwork: null }
}

/** The look of a row; it was validated before it was stored. */
export const fieldsIn = ({ look }: Pick<StyleRow, 'look'>) => JSON.parse(look) as LookFields

export async function insertStyle(tx: Tx, row: StyleRow): Promise<void> {
  await tx.insertInto('looks').values(row).execute()
}

export async function updateStyle(tx: Tx, row: StyleRow): Promise<void> {
  await tx.updateTable('looks').set(row).where('id', '=', row.id).execute()
}

/** Leaves the account without a default. */
export async function clearDefault(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .updateTable('looks')
    .set({ is_default: 0 })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Whether the account had it. */
export async function removeStyle(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  return changesRow(
    tx.deleteFrom('looks').where('workspace_id', '=', workspaceId).where('id', '=', id),
  )
}

/** The names of the account's styles that have a logo. */
export async function stylesWithLogo(
  db: Db,
  workspaceId: WorkspaceId,
  logo: string,
): Promise<string[]> {
  const rows = await listStyles(db, workspaceId)
  return rows.filter((row) => fieldsIn(row).artwork?.logo?.id === logo).map(({ name }) => name)
}
