import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { newPlace, oneEngineInCi, type Place } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { leadsTo } from '../support/link.ts'
import { newPerson, type Person } from '../support/person.ts'
import { ended, type ServerProcess, startProcess } from '../support/process.ts'
import type { Tessera } from '../support/tessera.ts'
import { TestClock } from '../support/test-clock.ts'

/** More than two statements write. */
const SIZE = 600
const SECRET = 'x'.repeat(32)
const rows = Array.from({ length: SIZE }, (_, index) => ({
  name: `Table ${index + 1}`,
  url: `https://example.com/menu?table=${index + 1}`,
}))

describe.each(oneEngineInCi)('a process on %s that is killed', (engine) => {
  let place: Place
  let database: Database
  let port: number
  let server: ServerProcess
  let person: Person

  async function start(preload?: string) {
    const { location, dataDir } = place
    const environment = {
      SESSION_SECRET: SECRET,
      ...(location.engine === 'postgres' && { DATABASE_URL: location.url }),
    }
    server = await startProcess({ dataDir, port, environment, ...(preload && { preload }) })
  }

  beforeAll(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
    port = await freePort()
    await start('dying-series.ts')
    const { origin } = server
    const announced = { app: { announce: () => {} }, clock: new TestClock() }
    const of = { ...announced, origin, database, secret: SECRET, config: { publicUrl: origin } }
    person = await newPerson(of as unknown as Tessera, 'unlimited')
  })
  afterAll(async () => {
    await ended(server.child, 'SIGKILL')
    await database.close()
    await place.remove()
  })

  const make = () => person.ask<QrCode[]>('/api/qr-codes/bulk', { method: 'POST', body: { rows } })

  /** What the account sees, and what a series writes that it does not see. */
  async function made() {
    const listed = await person.ask<QrCode[]>('/api/qr-codes')
    const { qrCodeCount } = await person.ask<{ qrCodeCount: number }>('/api/user/subscription')
    const names = await database.db.selectFrom('paths').select('key').execute()
    const counts = await database.db.selectFrom('limit_counts').select('count').execute()
    return {
      ...{ listed: listed.length, used: qrCodeCount, names: names.length },
      counted: counts.reduce((sum, { count }) => sum + count, 0),
    }
  }

  test('in the middle of a series has made none of it, and takes no place of the plan', async () => {
    const end = once(server.child, 'exit')
    await expect(make()).rejects.toThrow('fetch failed')
    expect(await end).toEqual([null, 'SIGKILL'])
    await start()
    expect(await made()).toEqual({ listed: 0, used: 0, names: 0, counted: 0 })
  })

  test('after the answer has made all of it, and the next process leads to each', async () => {
    const codes = await make()
    await ended(server.child, 'SIGKILL')
    await start()
    expect(await made()).toEqual({ listed: SIZE, used: SIZE, names: SIZE, counted: SIZE })
    expect(codes.map(({ url }) => url)).toEqual(rows.map(({ url }) => url))
    const last = codes.at(-1)?.shortCode ?? ''
    expect(await leadsTo(server, last)).toBe(rows.at(-1)?.url)
  })
})
