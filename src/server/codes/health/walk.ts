import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Rule } from '#contract/codes/code-rules.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { insertRows } from '../../database/json-rows.ts'
import { updateWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { afterCommit, changesRow, transact } from '../../database/transact.ts'
import { type CodeRow, selectLive } from '../codes-store.ts'
import { keysOf } from '../paths-store.ts'
import { UNKNOWN_HEALTH } from '../rules.ts'
import type { CodesRoomDeps } from '../types.ts'

/** Codes in one step */
const CODES = 500
/** A use is written again after this time only: a walk mostly reads. */
const USE_MS = 6 * HOUR_MS

type Deps = Pick<CodesRoomDeps, 'db' | 'clock' | 'config' | 'onCodeChanged'>
type Change = { row: CodeRow; columns: Pick<CodeRow, keyof typeof UNKNOWN_HEALTH> }

const checkId = (url: string) => hash('sha256', url, 'hex')

/** The destinations of a code that are checked: all that it can lead to, while it works. The main one is the first. */
function usedBy(row: CodeRow, now: number): string[] {
  const { paused_at, expires_at, ends_at, url, fallback_url } = row
  const hasEnded = [expires_at, ends_at].some((end) => end !== null && end <= now)
  if (row.checks_destination === 0 || paused_at !== null || hasEnded) return []
  const rules: Rule[] = row.rules === null ? [] : JSON.parse(row.rules)
  const ruled = rules.flatMap(({ variants }) => variants.map((variant) => variant.url))
  return [url, ...(fallback_url === null ? [] : [fallback_url]), ...ruled]
}

/**
 * Walks through all codes: notes which destinations are in use, forgets all others, and writes to each code what is
 * known of its main one. Ends early when `isOver` says so.
 */
export async function walkCodes(deps: Deps, isOver: () => boolean): Promise<void> {
  const { db, clock, config, onCodeChanged } = deps
  const now = clock().getTime()
  /** How many destinations each host has */
  const counts = new Map<string, number>()

  /** Returns the last code of this step, if there are more. */
  async function step(after: string): Promise<string | undefined> {
    const rows = await selectLive(db)
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(CODES)
      .execute()
    const uses = rows.map((row) => (config.healthChecks ? usedBy(row, now) : []))
    await note(new Set(uses.flat()))
    const healths = await healthsOf(db, [...new Set(uses.flatMap(([main = []]) => main))])
    const changes = rows.flatMap((row, at) => {
      const columns = healths.get(uses[at]?.[0] ?? '') ?? UNKNOWN_HEALTH
      const isSame = Object.entries(columns).every(([name, value]) => row[name as 'id'] === value)
      return isSame ? [] : { row, columns }
    })
    if (changes.length > 0) await transact(db, (tx) => write(tx, changes))
    return rows.length < CODES ? undefined : rows.at(-1)?.id
  }

  /** A new destination is due now, and the second of a host after the first of each. */
  async function note(urls: Set<string>) {
    const rows = [...urls].map((url) => {
      const { hostname: host } = new URL(url)
      const count = counts.get(host) ?? 0
      counts.set(host, count + 1)
      return { id: checkId(url), url, host, used_at: now, due_at: now - DAY_MS + count }
    })
    const ending = sql`on conflict (id) do update set used_at = excluded.used_at
      where destination_checks.used_at < excluded.used_at - ${sql.lit(USE_MS)}`
    await insertRows(db, 'destination_checks', ['used_at', 'due_at'], rows, ending)
  }

  /** The redirect hears of codes that lead elsewhere from now on. */
  async function write(tx: Tx, changes: Change[]) {
    const turned: string[] = []
    for (const { row, columns } of changes) {
      const { id, url, checks_destination } = row
      const asRead = updateWhere(tx, 'codes', { id, url, checks_destination }).set(columns)
      const isTurned = (row.health === 'dead') !== (columns.health === 'dead')
      if ((await changesRow(asRead)) && isTurned) turned.push(id)
    }
    const keys = await keysOf(tx, turned)
    afterCommit(tx, () => onCodeChanged(keys))
  }

  for (let after: string | undefined = ''; after !== undefined; ) {
    if (isOver()) return
    after = await step(after)
  }
  await db
    .deleteFrom('destination_checks')
    .where('used_at', '<', now - USE_MS)
    .execute()
}

/** The findings on these destinations, by address, as the columns of a code */
async function healthsOf(db: Db, urls: string[]): Promise<Map<string, Change['columns']>> {
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('destination_checks')
    .select(['url', 'health', 'since as health_since', 'seen as health_seen'])
    .where('id', 'in', urls.map(checkId))
    .where('health', 'is not', null)
    .execute()
  return new Map(rows.map(({ url, ...columns }) => [url, columns]))
}
