import { sql } from 'kysely'
import { batchesOf } from '../batches.ts'
import { insertRows } from '../database/json-rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { AppError, refusedAt } from '../http/errors.ts'
import { FORMER_PATHS_MAX } from './rules.ts'
import { newShortCode } from './short-codes.ts'
import type { FormerPath } from './types.ts'

const ATTEMPTS = 8

type NamedCode = Pick<Tables['codes'], 'id' | 'short_code' | 'vanity_url' | 'domain_id'>
type PathCode = Pick<Tables['codes'], 'id' | 'workspace_id' | 'vanity_url' | 'domain_id'>

/** The key of a name on a domain, or on this server */
export const keyOn = (domainId: string | null, name: string) =>
  domainId === null ? name : `${domainId}/${name}`

/** The key of a code's custom path; null if it has none. */
export const customKey = ({ vanity_url, domain_id }: Pick<PathCode, 'vanity_url' | 'domain_id'>) =>
  vanity_url === null ? null : keyOn(domain_id, vanity_url)

/** The names that new codes are found by: they have no former ones. */
export const namesOf = (codes: readonly NamedCode[]) =>
  codes.flatMap((code) => [code.short_code, customKey(code)].filter((key) => key !== null))

/** Codes whose names are made without a pause: about a millisecond, which a redirect can wait. */
const CODES_AT_ONCE = 250

/** Gives each of these codes a new short code. @throws when it finds no free one */
export async function claimShortCodes(
  tx: Tx,
  codes: readonly NamedCode[],
  now: Date,
): Promise<void> {
  for (const some of batchesOf(codes, CODES_AT_ONCE)) await claimFreeCodes(tx, some, now)
}

async function claimFreeCodes(tx: Tx, codes: readonly NamedCode[], now: Date): Promise<void> {
  let waiting = codes
  for (let attempt = 0; waiting.length > 0 && attempt < ATTEMPTS; attempt++) {
    for (const code of waiting) code.short_code = newShortCode()
    const paths = waiting.map(({ id, short_code }) => pathOf(short_code, id, 'short', now))
    const { taken } = await claim(tx, paths)
    waiting = waiting.filter(({ id, short_code }) => taken.get(short_code) === id)
  }
  if (waiting.length > 0) throw new Error(`no free short code in ${ATTEMPTS} attempts`)
}

/**
 * Claims the custom paths that these codes have. A path that the code itself had before becomes its custom one again.
 * Only an import claims names that differ from those of other codes in capitals alone.
 * @returns how many paths are new, and those that other codes have
 */
export async function claimCustomPaths(
  tx: Tx,
  codes: readonly PathCode[],
  { now, isImport = false }: { now: Date; isImport?: boolean },
): Promise<{ claimed: number; taken: ReadonlySet<string> }> {
  const clashing = new Set(await ownShortCodes(tx, codes))
  if (!isImport) for (const key of await otherSpellings(tx, codes)) clashing.add(key)
  const wanted = codes.flatMap((code) => {
    const key = customKey(code)
    return key && !clashing.has(key) ? [pathOf(key, code.id, 'custom', now)] : []
  })
  const { claimed, taken } = await claim(tx, wanted)
  const own = wanted.filter(({ key }) => !taken.has(key))
  if (claimed < own.length) {
    // The code's own short code stays its short code.
    await tx
      .updateTable('paths')
      .set({ kind: 'custom' })
      .where(
        'key',
        'in',
        own.map(({ key }) => key),
      )
      .where('kind', '=', 'former')
      .execute()
  }
  return { claimed, taken: clashing.union(new Set(taken.keys())) }
}

type PathKind = 'short' | 'custom' | 'former'
type NewPath = Tables['paths'] & { code_id: string }

function pathOf(key: string, code_id: string, kind: PathKind, now: Date): NewPath {
  return { key, code_id, kind, since: now.getTime() }
}

/**
 * Claims those of these names that are free. The table's key decides: of many requests at once, one gets a name.
 * @returns how many names are new, and those that other codes have, with the code that asked for each
 */
async function claim(
  tx: Tx,
  paths: readonly NewPath[],
): Promise<{ claimed: number; taken: ReadonlyMap<string, string> }> {
  // In one order: two transactions that want the same names do not wait for each other for ever.
  const ordered = paths.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const written = await insertRows(
    tx,
    'paths',
    ['since'],
    ordered,
    sql`on conflict (key) do nothing`,
  )
  if (written === paths.length) return { claimed: written, taken: new Map() }
  const keys = paths.map(({ key }) => key)
  const held = await tx
    .selectFrom('paths')
    .select(['key', 'code_id'])
    .where('key', 'in', keys)
    .execute()
  const codeOf = new Map(held.map(({ key, code_id }) => [key, code_id]))
  const taken = paths.filter(({ key, code_id }) => codeOf.get(key) !== code_id)
  return { claimed: written, taken: new Map(taken.map(({ key, code_id }) => [key, code_id])) }
}

/** The names that a code had elsewhere, besides its custom path */
export type OldNames = { short: string | null; former: readonly string[] }

/** Which of these keys are taken */
export async function takenNames(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('paths')
    .select('key')
    .where('key', 'in', [...keys])
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/**
 * Claims names that new codes had elsewhere. Returns how many are new.
 * @throws AppError custom_path_taken
 */
export async function claimOldNames(
  tx: Tx,
  codes: readonly NamedCode[],
  namesAt: (index: number) => OldNames | undefined,
  now: Date,
): Promise<number> {
  const paths = codes.flatMap((code, index) => {
    const { short = null, former = [] } = namesAt(index) ?? {}
    if (short !== null) code.short_code = short
    return [
      ...(short === null ? [] : [pathOf(short, code.id, 'short', now)]),
      ...former.map((name) => pathOf(keyOn(code.domain_id, name), code.id, 'former', now)),
    ]
  })
  if (paths.length === 0) return 0
  const { claimed, taken } = await claim(tx, paths)
  if (taken.size > 0) throw new AppError('custom_path_taken', OLD_NAMES_TAKEN)
  return claimed
}

const OLD_NAMES_TAKEN =
  'Other QR codes got some of the former names in this file. Upload it again. Nothing was created.'

/**
 * Gives a code the custom path that its row has, on its domain. The old one keeps working as a former path,
 * because it may be printed. True if the code gets a name that it did not have.
 * @throws AppError custom_path_taken, former_paths_full
 */
export async function changeCustomPath(tx: Tx, code: PathCode, now: Date): Promise<boolean> {
  const codeId = code.id
  await retireCustomPath(tx, codeId)
  const { claimed, taken } = await claimCustomPaths(tx, [code], { now })
  if (taken.size > 0) throw refusedAt('custom_path_taken', 'vanityUrl')
  const former = await tx
    .selectFrom('paths')
    .select('key')
    .where('code_id', '=', codeId)
    .where('kind', '=', 'former')
    .execute()
  if (former.length > FORMER_PATHS_MAX) throw new AppError('former_paths_full')
  return claimed > 0
}

/** The keys of custom paths on domains that are short codes of their owner, which lead there too. */
async function ownShortCodes(tx: Tx, codes: readonly PathCode[]): Promise<string[]> {
  const onDomains = codes.filter(({ domain_id, vanity_url }) => domain_id && vanity_url)
  const [first] = onDomains
  if (!first) return []
  const nameOf = ({ vanity_url }: PathCode) => vanity_url?.toLowerCase() ?? ''
  const rows = await tx
    .selectFrom('paths')
    .innerJoin('codes', 'codes.id', 'paths.code_id')
    .select('paths.key')
    .where('paths.key', 'in', onDomains.map(nameOf))
    .where('paths.kind', '=', 'short')
    .where('codes.workspace_id', '=', first.workspace_id)
    .execute()
  const own = new Set(rows.map(({ key }) => key))
  return onDomains.flatMap((code) => (own.has(nameOf(code)) ? (customKey(code) ?? []) : []))
}

/** A key as it is found in any other capitals */
export const folded = sql<string>`lower(paths.key)`

/** The keys on domains that other codes have with capitals: these lead there too. */
async function otherSpellings(tx: Tx, codes: readonly PathCode[]): Promise<string[]> {
  const keys = codes.flatMap((code) => (code.domain_id && customKey(code)) || [])
  if (keys.length === 0) return []
  const rows = await tx
    .selectFrom('paths')
    .select([folded.as('key'), 'code_id'])
    .where(folded, 'in', keys)
    .where('key', '<>', folded)
    .execute()
  const isOther = (key: string | null, id: string) =>
    rows.some((row) => row.key === key && row.code_id !== id)
  return codes.flatMap((code) => (isOther(customKey(code), code.id) ? (customKey(code) ?? []) : []))
}

/** Makes the code's custom path a former one. */
export async function retireCustomPath(tx: Tx, codeId: string): Promise<void> {
  await tx
    .updateTable('paths')
    .set({ kind: 'former' })
    .where('code_id', '=', codeId)
    .where('kind', '=', 'custom')
    .execute()
}

/** Codes in one statement, below the parameter limits of both engines */
const IDS_MAX = 10_000

/** All names of these codes. */
export async function keysOf(db: Db, codeIds: readonly string[]): Promise<string[]> {
  const keys: string[] = []
  for (const ids of batchesOf(codeIds, IDS_MAX)) {
    const rows = await db.selectFrom('paths').select('key').where('code_id', 'in', ids).execute()
    for (const { key } of rows) keys.push(key)
  }
  return keys
}

/** The former custom paths of these codes, by code. They still work, unless another account has their domain now. */
export async function formerPathsOf(db: Db, codeIds: string[]): Promise<Map<string, FormerPath[]>> {
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
  return new Map([...byCode].map(([id, paths]) => [id, paths.map(({ key }) => pathOfKey(key))]))
}

function pathOfKey(key: string): FormerPath {
  const slash = key.indexOf('/')
  return { name: key.slice(slash + 1), domainId: slash < 0 ? null : key.slice(0, slash) }
}

/**
 * Takes a domain from the codes of its owner, who has it no longer: their links are this server's again. Its
 * names stay with its id, which may get it back.
 */
export async function leaveDomain(tx: Tx, domainId: string): Promise<void> {
  await tx
    .updateTable('codes')
    .set({ domain: null, domain_id: null, vanity_url: null, legibility: null, legibility_of: null })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('domain_id', '=', domainId)
    .execute()
  await tx
    .updateTable('paths')
    .set({ kind: 'former' })
    .where('key', '>', `${domainId}/`)
    // The character after the slash
    .where('key', '<', `${domainId}0`)
    .where('kind', '=', 'custom')
    .execute()
}

/** Frees the names of drafts, which cannot have been printed. */
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
