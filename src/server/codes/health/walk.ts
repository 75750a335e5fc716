import type { Rule } from '#contract/code-rules.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { findMark, setMark } from '../../database/service-marks.ts'
import { afterCommit, changesRow, transact } from '../../database/transact.ts'
import { type CodeRow, selectLive } from '../codes-store.ts'
import { keysOf } from '../paths-store.ts'
import { UNKNOWN_HEALTH } from '../rules.ts'
import type { CodesRoomDeps } from '../types.ts'
import { checksOf, forgetUnused, noteUsed } from './checks-store.ts'

const EVERY_MS = HOUR_MS
/** Codes in one step, and steps in one run of the job */
const CODES = 500
const STEPS = 20

type Deps = Pick<CodesRoomDeps, 'db' | 'clock' | 'config' | 'onCodeChanged'>

const COLUMNS = [
  'id',
  'url',
  'fallback_url',
  'rules',
  'checks_destination',
  'paused_at',
  'expires_at',
  'ends_at',
  'health',
  'health_since',
  'health_seen',
] as const
type Walked = Pick<CodeRow, (typeof COLUMNS)[number]>
type Change = { row: Walked; columns: Pick<CodeRow, keyof typeof UNKNOWN_HEALTH> }

/** The destinations of a code that are checked: all that it can lead to, while it works. */
export function usedBy(row: Walked, now: number): string[] {
  const { paused_at, expires_at, ends_at, url, fallback_url } = row
  const hasEnded = [expires_at, ends_at].some((end) => end !== null && end <= now)
  if (row.checks_destination === 0 || paused_at !== null || hasEnded) return []
  const rules: Rule[] = row.rules === null ? [] : JSON.parse(row.rules)
  const ruled = rules.flatMap(({ variants }) => variants.map((variant) => variant.url))
  return [url, ...(fallback_url === null ? [] : [fallback_url]), ...ruled]
}

/**
 * Walks through all codes, each hour or once a destination died or came back: it notes which destinations are in use,
 * forgets all others, and writes to each code what is known of its main one. Another run goes on where one has ended.
 */
export function walkCodes({ db, clock, config, onCodeChanged }: Deps) {
  /** Returns the last code of this step; '' at the end. */
  async function step(after: string, beganAt: number): Promise<string> {
    const live = selectLive(db)
      .select([...COLUMNS])
      .where('id', '>', after)
    const codes = live.orderBy('id').limit(CODES)
    const now = clock().getTime()
    const rows = (await codes.execute()).map((row) => ({
      row,
      used: config.healthChecks ? usedBy(row, now) : [],
    }))
    await noteUsed(db, new Set(rows.flatMap(({ used }) => used)), beganAt)
    const checks = await checksOf(db, [...new Set(rows.flatMap(({ used }) => used[0] ?? []))])
    const changes = rows.flatMap(({ row, used }) => {
      const check = checks.get(used[0] ?? '')
      const columns = check?.health
        ? { health: check.health, health_since: check.since, health_seen: check.seen }
        : UNKNOWN_HEALTH
      const isSame = Object.entries(columns).every(([name, value]) => row[name as 'id'] === value)
      return isSame ? [] : { row, columns }
    })
    if (changes.length > 0) await transact(db, (tx) => write(tx, changes))
    return rows.length < CODES ? '' : (rows.at(-1)?.row.id ?? '')
  }

  /** The redirect hears of codes that lead elsewhere from now on. */
  async function write(tx: Tx, changes: Change[]) {
    const turned: string[] = []
    for (const { row, columns } of changes) {
      const change = tx.updateTable('codes').set(columns).where('id', '=', row.id)
      const isAsRead = change
        .where('url', '=', row.url)
        .where('checks_destination', '=', row.checks_destination)
      const isTurned = (row.health === 'dead') !== (columns.health === 'dead')
      if ((await changesRow(isAsRead)) && isTurned) turned.push(row.id)
    }
    const keys = await keysOf(tx, turned)
    afterCommit(tx, () => onCodeChanged(keys))
  }

  return async (): Promise<void> => {
    const now = clock().getTime()
    let { at, value: after } = (await findMark(db, 'checks')) ?? { at: 0, value: '' }
    if (after === '') {
      if (at <= now && now - at < EVERY_MS) return
      at = now
    }
    for (let steps = 0; steps < STEPS; steps++) {
      after = await step(after, at)
      if (after !== '') continue
      await forgetUnused(db, at)
      break
    }
    await setMark(db, 'checks', { at, value: after })
  }
}

/** Lets the next walk begin at the next run of the job, unless one is under way. */
export async function walkSoon(db: Db): Promise<void> {
  const rests = db.updateTable('service_marks').set({ at: 0 }).where('name', '=', 'checks')
  await rests.where('value', '=', '').execute()
}
