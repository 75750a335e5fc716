import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db } from '../../database/schema.ts'
import { QUARTERS_A_DAY, utcDay } from '../../dates.ts'
import { packsState } from '../store/packs/packs-state.ts'
import type { CountTask } from './count-task.ts'
import type { Period } from './periods.ts'
import type { Counted } from './tallies.ts'

const CACHE_BYTES = 16 * 1024 * 1024
/** Rollups that are mended say so nowhere. */
const KEPT_MS = 10 * MINUTE_MS

/** Of which scans something is counted. */
export type SettledTask = Period &
  Pick<CountTask, 'userId' | 'codeIds' | 'kind' | 'filters' | 'firstCompleteDay'>

/**
 * Keeps what was counted in days that are over. All their scans are packed, so the packs' rows and
 * versions tell whether one has come or gone since. A long range then costs little more than today.
 */
export class Settled {
  readonly #db: Db
  readonly #kept = new LRUCache<string, { readonly bytes: number }>({
    ...{ maxSize: CACHE_BYTES, ttl: KEPT_MS, ttlAutopurge: false },
    sizeCalculation: ({ bytes }) => bytes,
  })

  constructor(db: Db) {
    this.#db = db
  }

  /** Counts a period in two parts: the days that are over, and the rest. */
  async count<Sum extends Counted<Sum>>(
    task: SettledTask,
    what: string,
    make: () => Sum,
    add: (into: Sum, period: Period) => Promise<void>,
  ): Promise<Sum> {
    const { from, to } = task
    const sum = make()
    const { edge, version } = await this.#state(task)
    const end = Math.min(edge, to)
    if (end <= from) {
      await add(sum, task)
      return sum
    }
    const key = keyOf(task, `${version} ${what} ${from} ${end}`)
    let settled = this.#kept.get(key) as Sum | undefined
    if (!settled) {
      settled = make()
      await add(settled, { from, to: end })
      this.#kept.set(key, settled)
    }
    sum.addAll(settled)
    if (end < to) await add(sum, { from: end, to })
    return sum
  }

  /** The quarter-hour before which all scans are packed, and a text that changes with them. */
  async #state({ userId }: SettledTask): Promise<{ edge: number; version: string }> {
    const { until } = await packsState(this.#db)
    const day = utcDay(until)
    const { rows } = await sql<{ packs: number; rows: number | null; version: number | null }>`
      select count(*) as packs, sum(rows) as rows, max(version) as version
      from scan_packs where user_id = ${userId} and day < ${day}`.execute(this.#db)
    return { edge: day * QUARTERS_A_DAY, version: Object.values(rows[0] ?? {}).join(' ') }
  }
}

const keyOf = ({ userId, codeIds, kind, filters, firstCompleteDay }: SettledTask, rest: string) =>
  hash('sha256', JSON.stringify([userId, codeIds, kind, filters, firstCompleteDay, rest]), 'base64')
