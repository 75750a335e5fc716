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

  /** The same browser at each of the two processes. */
  function atBoth(person: Person): [Person, Person] {
    const [first, second] = services.map((service) => {
      const here = new Person({ ...service, dataDir: place.dataDir }, person.email)
      here.id = person.id
      here.cookie = person.cookie
      return here
    })
    return [first as Person, second as Person]
  }
  const post = (person: Person, path: string, body?: object) =>
    person.call(path, { method: 'POST', body, headers: { origin: PUBLIC_URL } })
  const newcomer = () => newPerson({ ...services[0], dataDir: place.dataDir })

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

  test('make one more code when one more is allowed and both are asked at once', async () => {
    const [here, there] = atBoth(await newcomer())
    const drafts = [
      await (await post(here, '/api/qr-codes/draft')).json(),
      await (await post(there, '/api/qr-codes/draft')).json(),
    ]
    const max = databaseLimits['free-names'].max
    await count(services[0].database.db, 'free-names', here.id, clock.now(), { times: max - 1 })
    const saves = [here, there].map((person, index) =>
      person.call(`/api/qr-codes/${drafts[index].id}`, {
        method: 'PATCH',
        body: { name: 'Menu', url: 'https://example.com/menu' },
        headers: { origin: PUBLIC_URL },
      }),
    )
    expect(await statuses(saves)).toEqual([200, 429])
  })

  test('open one more form when one more is allowed and both are asked at once', async () => {
    const [here, there] = atBoth(await newcomer())
    const max = databaseLimits.drafts.max
    await count(services[1].database.db, 'drafts', here.id, clock.now(), { times: max - 1 })
    const opened = [here, there].map((person) => post(person, '/api/qr-codes/draft'))
    expect(await statuses(opened)).toEqual([201, 429])
  })

  test('close an account after ten wrong passwords between them', async () => {
    const [here, there] = atBoth(await newcomer())
    const body = { email: here.email, password: 'wrong password' }
    const guesses = Array.from({ length: 12 }, (_, index) =>
      post(index % 2 ? here : there, '/api/auth/sign-in/email', body),
    )
    expect(await statuses(guesses)).toEqual([...Array(10).fill(401), 429, 429])
  })
})
