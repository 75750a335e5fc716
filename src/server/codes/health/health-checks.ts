import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import { isAhead } from '../../clock.ts'
import { updateWhere } from '../../database/rows.ts'
import { type Job, takeLease } from '../../jobs.ts'
import { RepeatableTask } from '../../repeatable-task.ts'
import type { CodesRoomDeps } from '../types.ts'
import { type AskingOptions, destinationAsking } from './asking.ts'
import { type Check, countHosts, takeDueChecks } from './checks-store.ts'
import { type Answer, changesBy, hasFailed, healthOf, isOurFault } from './judge.ts'
import { walkCodes } from './walk.ts'

const EVERY_MS = MINUTE_MS
/** A walk begins after this time, or soon after a destination died or came back. */
const WALK_MS = HOUR_MS
/** Destinations in one run, and of them at once */
const DESTINATIONS = 100
const AT_ONCE = 8
/** One process asks at a time, or two could ask one host within a second. A run of dead hosts takes nearly as long. */
const LEASE_MS = 30 * MINUTE_MS

export type HealthDeps = Pick<
  CodesRoomDeps,
  'db' | 'clock' | 'log' | 'config' | 'publicUrl' | 'onCodeChanged' | 'areWritesPaused'
> & {
  /** In tests: how destinations are asked */
  asking?: Partial<AskingOptions> | undefined
}

type Answered = { check: Check; answer: Answer }

/** Asks each destination in use once a day, beside the jobs: none of them waits for a slow server. */
export function healthChecks(deps: HealthDeps) {
  const { db, clock, log, config, publicUrl, areWritesPaused } = deps
  const ask = destinationAsking({ allow: config.webhookAllow, publicUrl, ...deps.asking })
  const atOnce = pLimit(AT_ONCE)
  const holder = randomUUID()
  const stopping = new AbortController()
  let walkAt = 0
  const runs = new RepeatableTask(() =>
    run().catch((error) => log.error({ err: error }, 'checks of destinations wait')),
  )

  /** Asks what is due. More may be: then another run follows. */
  async function run() {
    const lease = { name: 'ask-destinations', holder, forMs: LEASE_MS, isRenewed: true }
    if ((await areWritesPaused()) || !(await takeLease(db, lease, clock()))) return
    if (!isAhead(walkAt, WALK_MS, clock())) {
      await walkCodes(deps, () => runs.isStopped)
      walkAt = clock().getTime() + WALK_MS
    }
    const due = config.healthChecks ? await takeDueChecks(db, clock(), DESTINATIONS) : []
    if (due.length === 0) return
    const answers = await Promise.all(due.map((check) => atOnce(askOne, check)))
    if (!(await areWritesPaused())) await settle(answers.flat())
    runs.soon()
  }

  /** Nothing, if our own stop has cut the request off. */
  async function askOne(check: Check): Promise<Answered[]> {
    if (runs.isStopped) return []
    const answer = await ask(check.url, stopping.signal)
    return runs.isStopped ? [] : [{ check, answer }]
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
      const begin = isSuspect && { fails: 0, failing_since: null }
      const now = clock().getTime()
      const changes = changesBy(answer, { ...check, ...begin }, now)
      await updateWhere(db, 'destination_checks', { id: check.id }).set(changes).execute()
      const { health = check.health } = changes
      const isTurned = (health === 'dead') !== (check.health === 'dead')
      if (isTurned) walkAt = Math.min(walkAt, now + EVERY_MS)
    }
  }

  const job: Job = {
    name: 'check-destinations',
    everyMs: EVERY_MS,
    run: async () => runs.soon(),
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
