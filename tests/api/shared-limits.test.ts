import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { count } from '../../src/server/http/limits/counts-store.ts'
import { type DatabaseLimit, databaseLimits } from '../../src/server/http/limits/limits.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { newPerson, Person } from '../support/person.ts'
import { type Service, startService } from '../support/service.ts'
import { TestClock } from '../support/test-clock.ts'

const PUBLIC_URL = 'http://tessera.example'
const names = Object.keys(databaseLimits) as DatabaseLimit[]

describe.each(engines)('two processes on one database on %s', (engine) => {
  let place: Place
  let services: [Service, Service]
  const clock = new TestClock()
  beforeAll(async () => {
    place = await newPlace(engine)
    const start = () => startService({ ...place, clock, environment: { PUBLIC_URL } })
    services = [await start(), await start()]
  })
  afterAll(async () => {
    for (const service of services) await service.stop()
    await place.remove()
  })

  async function statuses(responses: Promise<Response>[]): Promise<number[]> {
    return (await Promise.all(responses)).map(({ status }) => status).sort()
  }

  test.each(names)('share the limit on %s', async (name) => {
    const who = randomUUID()
    const [first, second] = services.map(({ database }) => database.db)
    if (!first || !second) throw new Error('two services')
    const { max } = databaseLimits[name]
    await count(first, name, who, clock.now(), { times: max - 1 })
    await count(second, name, who, clock.now())
    for (const db of [first, second]) {
      await expect(count(db, name, who, clock.now())).rejects.toMatchObject({
        code: 'rate_limited',
      })
    }
  })

  test('close an account after ten wrong passwords between them', async () => {
    const { email } = await newPerson({ ...services[0], dataDir: place.dataDir })
    const body = { email, password: 'wrong password' }
    const guesses = Array.from({ length: 12 }, (_, index) => {
      const service = { ...(services[index % 2] as Service), dataDir: place.dataDir }
      const call = { method: 'POST', body, headers: { origin: PUBLIC_URL } }
      return new Person(service, email).call('/api/auth/sign-in/email', call)
    })
    expect(await statuses(guesses)).toEqual([...Array(10).fill(401), 429, 429])
  })
})
