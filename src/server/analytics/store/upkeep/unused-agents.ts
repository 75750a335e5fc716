import { DAY_MS } from '#contract/time.ts'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { markOf, setMark } from '../ledger/marks.ts'

/** In ledger_marks: its `at` is when the last walk ended. */
const WALK = 'unused-agents'
const EVERY_MS = 7 * DAY_MS
/** Ledger rows looked at in one step */
const ROWS = 5_000
/** Agents changed in one step */
const AGENTS = 500

type Agent = { id: number; unused_since: number | null }

/** The agents that were met up to the id `after`, and those that are left to settle when all scans were seen. */
type Walk = { after: string; used: Set<number>; left?: Agent[] }

/**
 * Removes User-Agents that no scan of the ledger has. A walk through the ledger collects those in use
 * and notes since when the others are not. The next walk, a week later, removes the noted ones that it
 * does not meet. A process that writes scans takes the note away when it stores an agent again, and must
 * not believe for more than a day that one is stored.
 */
export function unusedAgents({ db, reads }: Database) {
  let walk: Walk | undefined

  /** Returns whether there is more to do. A walk that a restart cuts off begins from the start. */
  return async (now: Date): Promise<boolean> => {
    if (!walk) {
      const last = (await markOf(db, WALK))?.at ?? 0
      if (now.getTime() - last < EVERY_MS) return false
      walk = { after: '', used: new Set() }
    } else if (!walk.left) await collect(reads, walk)
    else if (walk.left.length > 0) await settle(db, walk.left, walk.used, now.getTime())
    else {
      walk = undefined
      await setMark(db, WALK, now.getTime())
    }
    return walk !== undefined
  }
}

async function collect(reads: Db, walk: Walk): Promise<void> {
  const rows = await reads
    .selectFrom('scans')
    .select(['id', 'agent'])
    .where('id', '>', walk.after)
    .orderBy('id')
    .limit(ROWS)
    .execute()
  for (const { agent } of rows) if (agent !== null) walk.used.add(agent)
  walk.after = rows.at(-1)?.id ?? walk.after
  if (rows.length === ROWS) return
  const agents = await reads.selectFrom('agents').select(['id', 'unused_since']).execute()
  walk.left = agents.filter(({ id, unused_since }) => unused_since !== null || !walk.used.has(id))
}

async function settle(db: Db, left: Agent[], used: ReadonlySet<number>, now: number) {
  const some = left.splice(0, AGENTS)
  const idsOf = (agents: Agent[]) => agents.map(({ id }) => id)
  const met = idsOf(some.filter(({ id }) => used.has(id)))
  const unmet = some.filter(({ id }) => !used.has(id))
  const fresh = idsOf(unmet.filter((agent) => agent.unused_since === null))
  const gone = idsOf(unmet.filter((agent) => (agent.unused_since ?? now) <= now - DAY_MS))
  const noted = db.updateTable('agents')
  if (met.length > 0) await noted.set({ unused_since: null }).where('id', 'in', met).execute()
  if (fresh.length > 0) await noted.set({ unused_since: now }).where('id', 'in', fresh).execute()
  if (gone.length === 0) return
  // A fold may have just stored it again.
  const agents = db.deleteFrom('agents').where('id', 'in', gone)
  await agents.where('unused_since', 'is not', null).execute()
}
