import { randomInt } from 'node:crypto'
import type { Db, Tx } from '../database/schema.ts'
import { AppError, refusedAt } from '../http/errors.ts'
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

/** Rows in one statement, far below the parameters that SQLite takes (32,766). */
const CLAIMED_AT_ONCE = 500

/** The names that new codes are found by: they have no former ones. */
export const namesOf = (codes: readonly { short_code: string; vanity_url: string | null }[]) =>
  codes.flatMap(({ short_code, vanity_url }) =>
    vanity_url ? [short_code, vanity_url] : [short_code],
  )

/** Claims a new short code for each of these codes; answers them by code. @throws as `claimShortCode` */
export async function claimShortCodes(
  tx: Tx,
  codeIds: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  const claimed = new Map<string, string>()
  let waiting = [...codeIds]
  for (let attempt = 0; waiting.length > 0 && attempt < ATTEMPTS; attempt++) {
    const tried = new Map(waiting.map((id) => [newShortCode(), id]))
    const paths = [...tried].map(([key, code_id]) => pathOf(key, code_id, 'short', now))
    for (const key of await claimAll(tx, paths)) claimed.set(tried.get(key) ?? '', key)
    waiting = waiting.filter((id) => !claimed.has(id))
  }
  if (waiting.length > 0) throw new Error(`no free short codes in ${ATTEMPTS} attempts`)
  return claimed
}

/** Claims new custom paths, which belong to no code yet, by path; answers those that it got. */
export async function claimCustomPaths(
  tx: Tx,
  codeOf: ReadonlyMap<string, string>,
  now: Date,
): Promise<Set<string>> {
  return claimAll(
    tx,
    [...codeOf].map(([key, code_id]) => pathOf(key, code_id, 'custom', now)),
  )
}

function pathOf(key: string, code_id: string, kind: NewPath['kind'], now: Date): NewPath {
  return { key, code_id, kind, since: now.getTime() }
}

async function claimAll(tx: Tx, paths: readonly NewPath[]): Promise<Set<string>> {
  const claimed = new Set<string>()
  for (let start = 0; start < paths.length; start += CLAIMED_AT_ONCE) {
    const rows = await tx
      .insertInto('paths')
      .values(paths.slice(start, start + CLAIMED_AT_ONCE))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .execute()
    for (const { key } of rows) claimed.add(key)
  }
  return claimed
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
  if (!own) throw refusedAt('custom_path_taken', 'vanityUrl')
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
