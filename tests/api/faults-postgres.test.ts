import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLedger } from '../../src/server/analytics/ledger/ledger-connections.ts'
import { connect } from '../../src/server/database/connect.ts'
import { CuttingProxy, type Moment } from '../support/cutting-proxy.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedFrom, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PrintedCode, printCode, printCodes } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { Crowd, IPHONE, visit } from '../support/visitors.ts'

const onPostgres = engines.filter((engine) => engine === 'postgres')

describe.each(onPostgres)('a line to %s that breaks', (engine) => {
  let place: Place
  let proxy: CuttingProxy
  let service: Service
  let codes: PrintedCode[]

  beforeEach(async () => {
    place = await newPlace(engine)
    proxy = await CuttingProxy.start((place.location as { url: string }).url)
    const location = { engine: 'postgres' as const, url: proxy.url }
    service = await startService({ dataDir: place.dataDir, location })
    codes = await printCodes(service.database.db, 3)
  })
  afterEach(async () => {
    proxy.up()
    await service.stop()
    await proxy.stop()
    await place.remove()
  })

  const urls = () => codes.map(({ key }) => `${service.origin}/qr/${key}`)

  async function everyScanOnce(sent: string[]) {
    await eventually(() => service.capture.recorder.backlog === 0)
    const ledger = await ledgerOf(service.database.db)
    expect(ledger.map((row) => row.text).sort()).toEqual([...sent].sort())
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  }

  /** Scans one code after the other, each by somebody else. */
  async function scan(count: number, name: string): Promise<string[]> {
    const visitors = Array.from({ length: count }, (_, number) => `${IPHONE} ${name}/${number}`)
    for (const [number, who] of visitors.entries()) {
      const url = urls()[number % codes.length] as string
      const answer = await visit(url, { headers: { 'user-agent': who } })
      expect(answer.status).toBe(302)
    }
    return visitors
  }

  test.each<Moment>(['before', 'after'])(
    'cut %s the server has taken the COMMIT, each scan is counted once',
    async (moment) => {
      let turn = 0
      proxy.cut = (sql) => (sql === 'commit' && ++turn % 3 === 1 ? moment : undefined)
      const sent: string[] = []
      for (let round = 0; round < 6; round++) {
        sent.push(...(await scan(2, `${moment}-${round}`)))
        await eventually(() => service.capture.recorder.backlog === 0)
      }
      proxy.cut = () => undefined
      await everyScanOnce(sent)
      expect(proxy.cuts).toBeGreaterThan(1)
      expect(service.capture.recorder.counts).toMatchObject({ spilled: 0, lost: 0 })
    },
  )

  test('cut at any statements, each scan is counted once', async () => {
    const moment = fc.option(fc.constantFrom<Moment>('before', 'after'), {
      nil: undefined,
      freq: 3,
    })
    let round = 0
    const property = fc.asyncProperty(
      fc.array(moment, { minLength: 5, maxLength: 40 }),
      async (plan) => {
        const before = (await ledgerOf(service.database.db)).map((row) => row.text as string)
        let statement = 0
        proxy.cut = () => plan[statement++]
        const sent = await scan(6, `random-${round++}`)
        proxy.cut = () => undefined
        await everyScanOnce([...before, ...sent])
      },
    )
    await fc.assert(property, { seed, numRuns: times(8, 150), endOnFailure: true })
  })

  test('what a cut leaves behind is all of a commit or nothing', async () => {
    proxy.cut = (sql) => (sql.startsWith('insert into scan_counts') ? 'after' : undefined)
    const sent = await scan(3, 'torn')
    const meanwhile = await ledgerOf(service.database.db)
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(meanwhile))
    expect(meanwhile).toEqual([])
    proxy.cut = () => undefined
    await everyScanOnce(sent)
  })

  test('a statement that comes after a loss never runs outside its transaction', async () => {
    const connection = openLedger({ engine: 'postgres', url: proxy.url })
    await connection.run(connection.begin, [])
    proxy.down()
    proxy.up()
    await eventually(() => !connection.isUsable)
    await expect(
      connection.run('insert into agents (id, text) values ($1, $2)', [1, 'outside']),
    ).rejects.toThrow()
    await expect(connection.run('commit', [])).rejects.toThrow()
    expect(await service.database.db.selectFrom('agents').selectAll().execute()).toEqual([])
  })

  test('a connection lost while nobody scans costs the next scan nothing', async () => {
    const first = await scan(1, 'first')
    proxy.down()
    proxy.up()
    const second = await scan(1, 'second')
    await everyScanOnce([...first, ...second])
  })

  test('without the database known codes redirect, unknown ones ask for patience', async () => {
    const known = await scan(3, 'known')
    const fresh = await printCode(service.database.db)
    proxy.down()
    const during = await scan(6, 'during')
    const unknown = await visit(`${service.origin}/qr/${fresh.key}`)
    expect(unknown.status).toBe(503)
    expect(unknown.headers['retry-after']).toBe('5')
    expect(unknown.body).toContain('Please try again in a moment')
    expect(service.capture.recorder.counts.answeredBeforeCommit).toBeGreaterThan(0)
    proxy.up()
    await eventually(async () => {
      const { status } = await visit(`${service.origin}/qr/${fresh.key}`, { method: 'HEAD' })
      return status === 302
    })
    await eventually(() => service.capture.recorder.backlog === 0)
    const persons = (await ledgerOf(service.database.db)).filter((row) => row.class === 'person')
    expect(persons.map((row) => row.text).sort()).toEqual([...known, ...during].sort())
  })

  test('scans that the database could not take by the stop are replayed by the next start', async () => {
    const known = await scan(3, 'known')
    await everyScanOnce(known)
    proxy.down()
    const during = await scan(20, 'during')
    await service.stop()
    expect(service.capture.recorder.counts).toMatchObject({ spilled: 20, lost: 0 })
    proxy.up()
    service = await startService({
      dataDir: place.dataDir,
      location: { engine: 'postgres', url: proxy.url },
    })
    await eventually(async () => (await ledgerOf(service.database.db)).length >= 23)
    await everyScanOnce([...known, ...during])
  })

  test('under a crowd a flapping database loses and doubles nothing', async () => {
    const crowd = new Crowd('flapping')
    await scan(3, 'warm')
    crowd.start(urls())
    for (let round = 0; round < times(4, 40); round++) {
      await new Promise((resolve) => setTimeout(resolve, 60))
      proxy.down()
      await new Promise((resolve) => setTimeout(resolve, 60))
      proxy.up()
    }
    await crowd.stop()
    expect(crowd.faults).toEqual([])
    await eventually(() => service.capture.recorder.backlog === 0)
    const ledger = await ledgerOf(service.database.db)
    const inLedger = ledger.map((row) => row.text ?? '').filter((who) => who.includes('flapping/'))
    expect(inLedger.sort()).toEqual([...crowd.answered].sort())
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  })
})

describe.each(onPostgres)('the pool of connections to %s', (engine) => {
  test('a connection that ends between two statements of a transaction ends nothing else', async () => {
    const place = await newPlace(engine)
    const lost: Error[] = []
    const database = connect(place.location, (error) => lost.push(error))
    const broken = database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      // Nobody asks anything of the connection when it goes: only a listener hears of it.
      await eventually(() => lost.length > 0)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
    await database.close()
    await place.remove()
  })
})
