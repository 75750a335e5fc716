import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '#contract/time.ts'
import { type Job, takeLease } from '../../jobs.ts'
import { RepeatableTask } from '../../repeatable-task.ts'
import type { CodesRoomDeps } from '../types.ts'
import { type AskingOptions, destinationAsking } from './asking.ts'
import { type Check, countHosts, saveCheck, takeDueChecks } from './checks-store.ts'
import { type Answer, hasFailed, healthOf, isOurFault, knownAfter } from './judge.ts'
import { walkCodes, walkSoon } from './walk.ts'

const EVERY_MS = MINUTE_MS
/** Destinations in one run, and of them at once */
const DESTINATIONS = 100
const AT_ONCE = 8
/** One process asks at a time, or two could ask one host within a second. A run of dead hosts takes nearly as long. */
const LEASE_MS = 30 * MINUTE_MS

export type HealthDeps = Pick<
  CodesRoomDeps,
  'db' | 'clock' | 'log' | 'config' | 'publicUrl' | 'onCodeChanged'
> & {
  /** In tests: how destinations are asked */
  asking?: Partial<AskingOptions> | undefined
}

type Answered = { check: Check; answer: Answer }

/** Asks each destination in use once a day, beside the jobs: none of them waits for a slow server. */
export function healthChecks(deps: HealthDeps) {
  const { db, clock, log, config, publicUrl } = deps
  const ask = destinationAsking({ allow: config.webhookAllow, publicUrl, ...deps.asking })
  const walk = walkCodes(deps)
  const holder = randomUUID()
  const stopping = new AbortController()
  const runs = new RepeatableTask(() =>
    run().catch((error) => log.error({ err: error }, 'checks of destinations wait')),
  )

  /** Asks what is due. More may be: then another run follows. */
  async function run() {
    const lease = { name: 'ask-destinations', holder, forMs: LEASE_MS, isRenewed: true }
    if (!(await takeLease(db, lease, clock()))) return
    const due = await takeDueChecks(db, clock(), DESTINATIONS)
    if (due.length === 0) return
    await settle(await askAll(due))
    runs.soon()
  }

  async function askAll(waiting: Check[]): Promise<Answered[]> {
    const answers: Answered[] = []
    async function askNext(): Promise<void> {
      const check = stopping.signal.aborted ? undefined : waiting.shift()
      if (!check) return
      const answer = await ask(check.url, stopping.signal)
      // A request that our own stop has cut off says nothing.
      if (!stopping.signal.aborted) answers.push({ check, answer })
      return askNext()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askNext))
    return answers
  }

  /** Writes down what is known now. If the fault is ours, only good answers count. */
  async function settle(answers: Answered[]) {
    const failed = answers.flatMap(({ check, answer }) =>
      check.health !== 'dead' && hasFailed(answer) ? check.host : [],
    )
    const isOurs = isOurFault(...(await countHosts(db, [...new Set(failed)])))
    if (isOurs) log.warn({ hosts: failed.length }, 'so many hosts fail that no failure counts')
    for (const { check, answer } of answers) {
      const isSuspect = isOurs && check.health !== 'dead' && healthOf(answer) === 'dead'
      if (isOurs && !isSuspect && healthOf(answer) !== 'alive') continue
      // It stays a suspicion, or the next run would see too few hosts that fail: counting begins again with it.
      const before = { ...knownOf(check), ...(isSuspect && { fails: 0, failing_since: null }) }
      const known = knownAfter(before, answer, clock().getTime())
      await saveCheck(db, check.id, known)
      if ((known.health === 'dead') !== (check.health === 'dead')) await walkSoon(db)
    }
  }

  const job: Job = {
    name: 'check-destinations',
    everyMs: EVERY_MS,
    run: async () => {
      await walk()
      if (config.healthChecks) runs.soon()
    },
  }
  return {
    jobs: [job],
    /** Resolves when nothing is being asked. */
    idle: () => runs.idle(),
    stop: async () => {
      stopping.abort()
      await runs.stop()
    },
  }
}

const knownOf = ({ health, since, seen, fails, failing_since, due_at }: Check) => ({
  health,
  since,
  seen,
  fails,
  failing_since,
  due_at,
})
