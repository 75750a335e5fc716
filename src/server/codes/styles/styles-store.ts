import { LOOKS_MAX } from '#contract/pictures/looks.ts'
import { fieldsOf, type LookFields } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { Db, LooksTable, Tx } from '../../database/schema.ts'
import type { Entitlements } from '../rules.ts'
import { beginningLook } from './style-rules.ts'

export type LookRow = LooksTable

/** The account's styles, the oldest first: none changes its place. */
export async function listLooks(db: Db, userId: string): Promise<LookRow[]> {
  return db
    .selectFrom('looks')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('made_at')
    .orderBy('id')
    .limit(LOOKS_MAX)
    .execute()
}

export async function findLook(db: Db, userId: string, id: string): Promise<LookRow | undefined> {
  return db
    .selectFrom('looks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

const PLAIN_LOOK = fieldsOf(DEFAULT_LOOK)

/** The look that the account's new codes begin with: that of its default style, as far as its plan has it. */
export async function lookOfNew(
  db: Db,
  userId: string,
  plan: Pick<Entitlements, 'hasArtwork'>,
): Promise<LookFields> {
  const row = await db
    .selectFrom('looks')
    .select('look')
    .where('user_id', '=', userId)
    .where('is_default', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row ? beginningLook(fieldsIn(row), plan) : PLAIN_LOOK
}

/** What a row's look is; it was validated before it was stored. */
export const fieldsIn = ({ look }: Pick<LookRow, 'look'>) => JSON.parse(look) as LookFields

export async function insertLook(tx: Tx, row: LookRow): Promise<void> {
  await tx.insertInto('looks').values(row).execute()
}

export async function updateLook(tx: Tx, row: LookRow): Promise<void> {
  await tx.updateTable('looks').set(row).where('id', '=', row.id).execute()
}

/** Leaves the account without a default. */
export async function clearDefault(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('looks').set({ is_default: 0 }).where('user_id', '=', userId).execute()
}

/** Whether the account had it. */
export async function removeLook(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('looks')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function removeLooks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('looks').where('user_id', '=', userId).execute()
}

/** The names of the account's styles that have a logo. */
export async function looksWithLogo(db: Db, userId: string, logo: string): Promise<string[]> {
  const rows = await listLooks(db, userId)
  return rows.filter((row) => fieldsIn(row).artwork?.logo?.id === logo).map(({ name }) => name)
}
