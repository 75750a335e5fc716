import { randomInt } from 'node:crypto'
import type { Db, Tx } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import { FORMER_PATHS_MAX } from './rules.ts'

/** Without vowels, so that no word comes up by chance, and without 0 1 i l o, which look alike. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'
const SHORT_CODE_LENGTH = 7

/** A new short code: 27^7 = 10^10 possible ones, not guessable in sequence. */
export function newShortCode(): string {
  return Array.from({ length: SHORT_CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
    '',
  )
}

const ATTEMPTS = 8

/** Claims a new short code for a code. @throws when it finds no free one */
export async function claimShortCode(tx: Tx, codeId: string, now: Date): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const key = newShortCode()
    if (await claim(tx, { key, code_id: codeId, kind: 'short', since: now.getTime() })) return key
  }
  throw new Error(`no free short code in ${ATTEMPTS} attempts`)
}

type NewPath = { key: string; code_id: string; kind: 'short' | 'custom'; since: number }

/** Claims a name. The primary key decides: of many requests at once, one gets it. */
async function claim(tx: Tx, path: NewPath): Promise<boolean> {
  const taken = await tx
    .insertInto('paths')
    .values(path)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute()
  return taken.length > 0
}

/**
 * Makes `wanted` (lower-case, or null for none) the code's custom path. The old one keeps working as
 * a former path, because it may be printed. True if the code gets a name that it did not have.
 * @throws AppError custom_path_taken, former_paths_full
 */
export async function changeCustomPath(
  tx: Tx,
  codeId: string,
  wanted: string | null,
  now: Date,
): Promise<boolean> {
  await tx
    .updateTable('paths')
    .set({ kind: 'former' })
    .where('code_id', '=', codeId)
    .where('kind', '=', 'custom')
    .execute()
  const isNew = wanted !== null && (await takeCustomPath(tx, codeId, wanted, now))
  const former = await tx
    .selectFrom('paths')
    .select('key')
    .where('code_id', '=', codeId)
    .where('kind', '=', 'former')
    .execute()
  if (former.length > FORMER_PATHS_MAX) throw new AppError('former_paths_full')
  return isNew
}

async function takeCustomPath(tx: Tx, codeId: string, key: string, now: Date): Promise<boolean> {
  if (await claim(tx, { key, code_id: codeId, kind: 'custom', since: now.getTime() })) return true
  const own = await tx
    .selectFrom('paths')
    .select('kind')
    .where('key', '=', key)
    .where('code_id', '=', codeId)
    .executeTakeFirst()
  if (!own) {
    const { message } = new AppError('custom_path_taken')
    throw new AppError('custom_path_taken', message, { vanityUrl: message })
  }
  // The code's own short code stays its short code; a former path becomes the custom one again.
  if (own.kind === 'former') {
    await tx.updateTable('paths').set({ kind: 'custom' }).where('key', '=', key).execute()
  }
  return false
}

/** All names of these codes. */
export async function allKeysOf(db: Db, codeIds: string[]): Promise<string[]> {
  if (codeIds.length === 0) return []
  const rows = await db.selectFrom('paths').select('key').where('code_id', 'in', codeIds).execute()
  return rows.map((row) => row.key)
}

/** All names of a code. */
export async function keysOf(db: Db, codeId: string): Promise<string[]> {
  const rows = await db.selectFrom('paths').select('key').where('code_id', '=', codeId).execute()
  return rows.map((row) => row.key)
}

/** The former custom paths of these codes, all of which still work, by code. */
export async function formerPathsOf(db: Db, codeIds: string[]): Promise<Map<string, string[]>> {
  if (codeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('paths')
    .select(['code_id', 'key'])
    .where('code_id', 'in', codeIds)
    .where('kind', '=', 'former')
    .orderBy('since')
    .orderBy('key')
    .execute()
  const byCode = Map.groupBy(rows, ({ code_id }) => code_id ?? '')
  return new Map([...byCode].map(([id, paths]) => [id, paths.map(({ key }) => key)]))
}

/** Frees the names of drafts, which nobody can have printed. */
export async function releaseKeys(tx: Tx, codeIds: string[]): Promise<void> {
  if (codeIds.length > 0) await tx.deleteFrom('paths').where('code_id', 'in', codeIds).execute()
}

/** Reserves the names of purged codes for ever, without a link to the account. */
export async function reserveKeys(tx: Tx, codeIds: string[]): Promise<void> {
  if (codeIds.length === 0) return
  await tx
    .updateTable('paths')
    .set({ kind: 'reserved', code_id: null })
    .where('code_id', 'in', codeIds)
    .execute()
}
