import { describe, expect, onTestFinished, test } from 'vitest'
import { connect, type Engine } from '../../src/server/database/connect.ts'
import { newestKnown } from '../../src/server/database/schema-version.ts'
import { serverEngineInCi } from '../support/engines.ts'
import { holdWriters } from '../support/held-database.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { settingsOf, startProcess } from '../support/process.ts'
import { refusal } from '../support/refusal.ts'
import { earlierPlace, factsOf } from '../support/upgrade-fixture.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

const VERSION = '2c5dc1a'
/** The last record of a migration: its name, its number, how many there are */
const LAST_MIGRATION = /^.*"migration":"([^"]+)","number":(\d+),"of":(\d+),"ms":\d+/s
const VISITOR = `${FIREFOX} Early/1.0`

/** A new version whose migrations wait for what another connection holds. */
async function waitingUpgrade(engine: Engine) {
  const { dataDir, location, remove } = await earlierPlace(VERSION, engine)
  const held = await holdWriters(location)
  const environment = { ...settingsOf(location), LOG_LEVEL: 'info' }
  let log = ''
  const onLog = (text: string) => {
    log += text
  }
  const server = await startProcess({ dataDir, environment, onLog, until: '/healthz' })
  const database = connect(location, () => {})
  onTestFinished(async () => {
    await server.stop()
    await database.close()
    await remove()
  })
  return { ...server, database, held, log: () => log }
}

const statusOf = async (url: string) => (await fetch(url)).status

describe.each(serverEngineInCi)('a server whose migrations wait on %s', (engine) => {
  const { links, owner } = factsOf(VERSION, engine)
  const plain = owner.codes.find(({ name }) => name === 'Plain')?.shortCode ?? ''

  test('is alive and not ready, and asks to come back; printed links lead on where they can be read', async () => {
    const server = await waitingUpgrade(engine)
    const { origin, database, held, log } = server
    if (engine === 'sqlite') {
      await eventually(async () => (await leadsTo(server, plain)) === links[plain])
      const scan = await visit(`${origin}/qr/${plain}?table=7`, {
        headers: { 'user-agent': VISITOR },
      })
      expect(scan).toMatchObject({
        status: 302,
        headers: { location: links[plain], connection: 'close' },
      })
      expect(await leadsTo(server, 'old-menu')).toBe(links['old-menu'])
      // On a host of a customer the name may be another code's.
      const there = await visit(`${origin}/qr/${plain}`, { headers: { host: 'go.example.org' } })
      expect(there.status).toBe(503)
    } else {
      await eventually(async () => (await held.isWanted?.()) === true)
      // The version before goes on: what waits behind the migration has its turn within a second.
      await database.db.selectFrom('codes').select('id').execute()
      expect(await leadsTo(server, plain)).toBe(503)
    }
    expect(await statusOf(`${origin}/healthz`)).toBe(200)
    for (const path of ['/readyz', '/api/qr-codes', '/qr/no-such-code', '/qr/binned']) {
      const answer = await fetch(origin + path)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await refusal(answer)).toMatchObject({ status: 503, code: 'unavailable' })
    }
    const page = await fetch(origin, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(503)
    expect(await page.text()).toContain('Please try again in a moment</h1>')

    await held.release()
    await eventually(async () => (await statusOf(`${origin}/readyz`)) === 200)
    expect(await leadsTo(server, plain)).toBe(links[plain])
    const [, last, number, of] = LAST_MIGRATION.exec(log()) ?? []
    expect([last, number]).toEqual([newestKnown(), of])
    if (engine === 'postgres') return
    const early = async () => (await ledgerOf(database)).filter(({ text }) => text === VISITOR)
    await eventually(async () => (await early()).length > 0)
    expect(await early()).toMatchObject([{ class: 'person', first: 1 }])
  })
})
