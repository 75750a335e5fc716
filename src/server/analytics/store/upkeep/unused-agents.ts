import { DAY_MS } from '#contract/time.ts'
import type { Database } from '../../../database/connect.ts'
import { markOf, setMark } from '../ledger/marks.ts'

/** In ledger_marks: its `at` is when the last walk ended. */
const WALK = 'unused-agents'
const EVERY_MS = 7 * DAY_MS
/** Ledger rows looked at in one step */
const ROWS = 5_000
/** Agents changed in one step */
const AGENTS = 500

/**
 * Removes User-Agents that no scan of the ledger has. A walk through the ledger collects those in use
 * and notes since when the others are not. The next walk, a week later, removes the noted ones that it
 * does not meet. The process that writes scans takes the note away when it stores an agent again, and must not
 * believe for more than a day that one is stored.
 */
export class UnusedAgents {
  readonly #database: Database
  #walk: { after: string; used: Set<number> } | undefined
  #used = new Set<number>()
  #unsettled: { id: number; unused_since: number | null }[] | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Answers whether there is more to do. A walk that a restart cuts off begins from the start. */
  async step(now: Date): Promise<boolean> {
    if (this.#unsettled) return this.#settle(now.getTime(), this.#unsettled)
    if (this.#walk) return this.#collect(this.#walk)
    const last = (await markOf(this.#database.db, WALK))?.at ?? 0
    if (now.getTime() - last < EVERY_MS) return false
    this.#walk = { after: '', used: new Set() }
    return true
  }

  async #collect(walk: { after: string; used: Set<number> }): Promise<boolean> {
    const { reads } = this.#database
    const rows = await reads
      .selectFrom('scans')
      .select(['id', 'agent'])
      .where('id', '>', walk.after)
      .orderBy('id')
      .limit(ROWS)
      .execute()
    for (const { agent } of rows) if (agent !== null) walk.used.add(agent)
    walk.after = rows.at(-1)?.id ?? walk.after
    if (rows.length === ROWS) return true
    const agents = await reads.selectFrom('agents').select(['id', 'unused_since']).execute()
    this.#unsettled = agents.filter(
      ({ id, unused_since }) => unused_since !== null || !walk.used.has(id),
    )
    this.#used = walk.used
    this.#walk = undefined
    return true
  }

  async #settle(now: number, left: { id: number; unused_since: number | null }[]) {
    const { db } = this.#database
    const some = left.splice(0, AGENTS)
    const met = some.filter(({ id }) => this.#used.has(id)).map(({ id }) => id)
    const isOld = (since: number | null) => since !== null && since <= now - DAY_MS
    const unmet = some.filter(({ id }) => !this.#used.has(id))
    const gone = unmet.filter(({ unused_since }) => isOld(unused_since)).map(({ id }) => id)
    const fresh = unmet.filter(({ unused_since }) => unused_since === null).map(({ id }) => id)
    const noted = db.updateTable('agents')
    if (met.length > 0) await noted.set({ unused_since: null }).where('id', 'in', met).execute()
    if (fresh.length > 0) await noted.set({ unused_since: now }).where('id', 'in', fresh).execute()
    if (gone.length > 0) {
      // Somebody may have just stored it again.
      const agents = db.deleteFrom('agents').where('id', 'in', gone)
      await agents.where('unused_since', 'is not', null).execute()
    }
    if (left.length > 0) return true
    this.#unsettled = undefined
    this.#used = new Set()
    await setMark(db, WALK, now)
    return false
  }
}
