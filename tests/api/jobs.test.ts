import pino from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { type Job, JobRunner } from '../../src/server/jobs.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { runTessera, startTessera } from '../support/tessera.ts'

describe.each(engines)('periodic jobs on %s', (engine) => {
  const tessera = runTessera({ engine })
  let runs: string[]
  let count = 0
  beforeEach(() => {
    runs = []
    count++
  })

  /** A process's runner of these jobs. Each test's jobs have names of their own. */
  function runner(process: string, jobs: Record<string, () => Promise<void>>) {
    const list: Job[] = Object.entries(jobs).map(([name, run]) => ({
      name: `${name}-${count}`,
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        runs.push(`${process} ${name}`)
        await run()
      },
    }))
    const { clock, database } = tessera
    const log = pino({ level: 'silent' })
    return new JobRunner({ db: database.db, clock: clock.now, log, jobs: list })
  }
  const nothing = async () => {}
  const sweeper = (process: string) => runner(process, { sweep: nothing })
  const two = () => [sweeper('first'), sweeper('second')] as const

  test('one of two processes runs a job', async () => {
    await Promise.all(two().map((each) => each.runDue()))
    expect(runs).toHaveLength(1)
  })

  test('a job that is due again may run in another process', async () => {
    const [first, second] = two()
    await first.runDue()
    tessera.clock.advance(9 * MINUTE_MS)
    await first.runDue()
    await second.runDue()
    expect(runs).toEqual(['first sweep'])
    tessera.clock.advance(MINUTE_MS + 1000)
    await second.runDue()
    await first.runDue()
    expect(runs).toEqual(['first sweep', 'second sweep'])
  })

  test('a clock that goes forward by 400 days and back holds up no job', async () => {
    const one = sweeper('one')
    tessera.clock.advance(400 * DAY_MS)
    await one.runDue()
    tessera.clock.advance(-400 * DAY_MS)
    await one.runDue()
    expect(runs).toEqual(['one sweep', 'one sweep'])
    await one.runDue()
    expect(runs).toHaveLength(2)
  })

  test('a process whose clock is half a minute behind leaves a job to the other', async () => {
    const [first, second] = two()
    await first.runDue()
    tessera.clock.advance(-30_000)
    await second.runDue()
    tessera.clock.advance(30_000)
    expect(runs).toEqual(['first sweep'])
  })

  test('a job that fails does not stop the others, and runs again when due', async () => {
    const broken = async () => {
      throw new Error('broken')
    }
    const one = runner('one', { mails: nothing, broken, sweep: nothing })
    await one.runDue()
    await one.runDue()
    expect(runs).toEqual(['one mails', 'one broken', 'one sweep'])
    tessera.clock.advance(11 * MINUTE_MS)
    await one.runDue()
    expect(runs).toHaveLength(6)
  })

  test('a stop waits for the running job and begins no other', async () => {
    let finish = () => {}
    let ended = false
    const slow = async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      ended = true
    }
    const one = runner('one', { slow, sweep: nothing })
    one.start()
    await eventually(() => runs.includes('one slow'))
    const stopped = one.stop()
    finish()
    await stopped
    expect(ended).toBe(true)
    expect(runs).toEqual(['one slow'])
  })
})

test('a stop writes the scans first, even if a job hangs', async () => {
  const tessera = await startTessera()
  const { promise: hangs, resolve: end } = Promise.withResolvers<void>()
  vi.spyOn(tessera.app.jobs, 'stop').mockReturnValue(hangs)
  const written = vi.spyOn(tessera.capture, 'stop')
  const stopping = tessera.stop()
  await eventually(() => written.mock.settledResults[0]?.type === 'fulfilled')
  end()
  await stopping
})
