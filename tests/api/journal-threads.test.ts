import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allCounted } from '../support/all-counted.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedLedger, eventually } from '../support/ledger.ts'
import { printCodes } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { Crowd } from '../support/visitors.ts'

const threads = vi.hoisted((): Worker[] => [])

vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>()
  class Known extends real.Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given)
      if (/(writer|folding)-thread\.ts$/.test(String(given[0]))) threads.push(this)
    }
  }
  return { ...real, Worker: Known }
})

describe.each(engines)('the journal of scans on %s', (engine) => {
  let place: Place
  let service: Service
  beforeAll(async () => {
    place = await newPlace(engine)
    service = await startService(place)
  })
  afterAll(async () => {
    await service.stop()
    await place.remove()
  })

  // How many more redirects go out before the thread ends.
  const ends = fc.sample(fc.nat(50), { seed, numRuns: times(6, 100) })

  test('loses and doubles no scan when its threads end at random', async () => {
    const codes = await printCodes(service.database.db, 3)
    const crowd = new Crowd('crash')
    crowd.start(codes.map(({ key }) => `${service.origin}/qr/${key}`))
    const before = threads.length
    for (const more of ends) {
      const answered = crowd.answered.length
      await eventually(() => crowd.answered.length > answered + 20 + more)
      await threads.at(-1)?.terminate()
    }
    await crowd.stop()
    await allCounted(service)
    expect(threads.length).toBeGreaterThan(before)
    expect(crowd.faults).toEqual([])
    const ledger = await countedLedger(service.database)
    expect(ledger.map((row) => row.text).sort()).toEqual([...crowd.answered].sort())
  })
})
