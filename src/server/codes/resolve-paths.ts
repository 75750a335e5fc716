import type { SelectQueryBuilder } from 'kysely'
import { utmOf } from '#contract/analytics/utm.ts'
import type { Rule } from '#contract/codes/code-rules.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db, Tables } from '../database/schema.ts'
import { folded } from './paths-store.ts'
import { isCounted } from './rules.ts'
import type { OwnerOf, Target } from './types.ts'

/** The keys of one statement: each size is one prepared statement, filled up by repeating a key. */
const SIZES = [1, 3, 8, 24]

/**
 * Where each of these names leads, if it has a live code. A name on a domain is the claim's
 * id, a slash and the name as it was asked for.
 */
export async function resolvePaths(
  db: Db,
  keys: string[],
  ownerOf: OwnerOf,
): Promise<Map<string, Target | undefined>> {
  const asked = keys.flatMap(namesFor)
  const size = SIZES.find((each) => each >= asked.length) ?? asked.length
  const filled = Array.from({ length: size }, (_, at) => asked[at % asked.length] ?? '')
  const names = asked.length > keys.length ? liveNamesInAnyCase : liveNames
  const rows = await names(db, filled).execute()
  return new Map(keys.map((key) => [key, bestOf(rows, key, ownerOf)]))
}

/**
 * `resolvePaths` for one name, in the thread that asks. Its function returns undefined if the
 * database cannot answer at once.
 */
export function resolvePathBy(quick: QuickReads, db: Db, ownerOf: OwnerOf) {
  const findOurs = quick.prepare(liveNames(db, ['']))
  const findOnDomain = quick.prepare(liveNamesInAnyCase(db, ['', '', '']))
  return (key: string): { target: Target | undefined } | undefined => {
    const names = namesFor(key)
    const rows = names.length === 1 ? findOurs(names) : findOnDomain([...names, ...names])
    return rows && { target: bestOf(rows, key, ownerOf) }
  }
}

/** The keys that a name may have, the best first: on a domain as it was asked for, folded, and as a short code. */
function namesFor(key: string): string[] {
  const slash = key.indexOf('/')
  if (slash < 0) return [key]
  const folded = key.slice(slash + 1).toLowerCase()
  return [key, `${key.slice(0, slash)}/${folded}`, folded]
}

/** The columns that say what a scan gets, each as a new code has it, and a database that does not have it yet. */
export const decisive = {
  paused_at: null,
  expires_at: null,
  pass_query: 0,
  starts_at: null,
  ends_at: null,
  scan_limit: null,
  password: null,
  fallback_url: null,
  fallback_when_dead: 0,
  health: null,
  rules: null,
}

type Decisive = keyof typeof decisive
type LiveName = Pick<Tables['codes'], 'id' | 'url' | 'workspace_id' | Decisive> &
  Pick<Tables['paths'], 'key' | 'kind'>

/**
 * A short code works on every domain of its owner, and on no other. Before it comes a name of another service that
 * was asked for with other capitals.
 */
function bestOf(rows: readonly LiveName[], key: string, ownerOf: OwnerOf): Target | undefined {
  const [exact = key, small, short] = namesFor(key)
  const [claim = ''] = key.split('/', 1)
  const best =
    rows.find((row) => row.key === exact) ??
    rows.find((row) => row.key === small) ??
    rows
      .filter((row) => row.key.toLowerCase() === small)
      .sort((one, other) => (one.key < other.key ? -1 : 1))[0] ??
    rows.find(
      (row) => row.key === short && row.kind === 'short' && row.workspace_id === ownerOf(claim),
    )
  return best && targetOf(best)
}

const liveNames = (db: Db, keys: string[]) =>
  namesFrom(db, db.selectFrom('paths').selectAll().where('key', 'in', keys))

function namesFrom(db: Db, paths: SelectQueryBuilder<Tables, 'paths', Tables['paths']>) {
  return db
    .selectFrom(paths.as('paths'))
    .innerJoin('codes', 'codes.id', 'paths.code_id')
    .select(['paths.key', 'paths.kind', 'codes.workspace_id', 'codes.id', 'codes.url'])
    .select(Object.keys(decisive).map((column) => `codes.${column as Decisive}` as const))
    .where('codes.saved_at', 'is not', null)
    .where('codes.deleted_at', 'is', null)
}

/** Where one of our names leads by the columns that the tables have, while migrations run. */
export async function resolveEarly(db: Db, key: string): Promise<Target | undefined> {
  const all = liveNames(db, [key]).clearSelect().selectAll('codes').select('paths.key')
  const row = await all.executeTakeFirst()
  return row && targetOf({ ...decisive, ...row })
}

/** More spellings of one name than are ever printed. PostgreSQL would expect many more without it. */
const SPELLINGS_MAX = 100

/** The same, and names with capitals whose folded key is one of these. */
function liveNamesInAnyCase(db: Db, keys: string[]) {
  const inCapitals = db
    .selectFrom('paths')
    .selectAll()
    .where(folded, 'in', keys)
    .where('key', '<>', folded)
    .limit(SPELLINGS_MAX)
  return liveNames(db, keys).unionAll(namesFrom(db, inCapitals))
}

const NO_RULES: Rule[] = []

export function targetOf(row: Omit<LiveName, 'kind'>): Target {
  const { key, id, workspace_id: ownerId, url, paused_at, expires_at } = row
  const passesQuery = row.pass_query === 1
  const destination = { kind: 'url', url, utm: utmOf(url), passesQuery } as const
  return {
    key,
    id,
    ownerId,
    destination,
    paused: paused_at !== null,
    expiresAt: expires_at,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    fallback: row.fallback_url,
    isDead: row.fallback_when_dead === 1 && row.health === 'dead',
    passwordHash: row.password,
    rules: row.rules === null ? NO_RULES : JSON.parse(row.rules),
    isCounted: isCounted(row),
  }
}
