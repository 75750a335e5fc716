import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresLine } from '../../src/server/analytics/store/fold/postgres-ledger.ts'
import { connect } from '../../src/server/database/connect.ts'
import { allCounted, scanMetric } from '../support/all-counted.ts'
import { CuttingProxy, type Moment } from '../support/cutting-proxy.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedLedger, eventually, ledgerOf } from '../support/ledger.ts'
import { type PrintedCode, printCode, printCodes } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { Crowd, IPHONE, visit } from '../support/visitors.ts'

const onPostgres = engines.filter((engine) => engine === 'postgres')

describe.each(onPostgres)('a broken line to %s', (engine) => {
  let place: Place
  let proxy: CuttingProxy
  let service: Service
  let codes: PrintedCode[]

  const start = () => {
    const location = { engine: 'postgres' as const, url: proxy.url }
    return startService({ dataDir: place.dataDir, location })
  }
  beforeAll(async () => {
    place = await newPlace(engine)
    proxy = await CuttingProxy.start((place.location as { url: string }).url)
    service = await start()
    codes = await printCodes(service.database.db, 3)
  })
  afterEach(async () => {
    proxy.cut = () => undefined
    await restore()
  })
  afterAll(async () => {
    await service.stop()
    await proxy.stop()
    await place.remove()
  })

  const urls = () => codes.map(({ key }) => `${service.origin}/qr/${key}`)
  /** Ends the cut, and waits until the service has connections again. */
  async function restore() {
    proxy.up()
    const answers = async (url: string) => (await visit(url, { method: 'HEAD' })).status === 302
    for (const url of urls()) await eventually(() => answers(url))
    await stored()
  }

  const stored = () => allCounted(service)

  /** The rows of these visitors, and whether the rollups agree with the whole ledger. */
  async function rowsOf(visitors: string[]): Promise<string[]> {
    const ledger = await countedLedger(service.database)
    const theirs = new Set(visitors)
    return ledger.map((row) => row.text ?? '').filter((who) => theirs.has(who))
  }

  async function everyScanOnce(sent: string[]) {
    await stored()
    expect((await rowsOf(sent)).sort()).toEqual([...sent].sort())
  }

  /** Scans one code after the other, each by another visitor. */
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
    'if it is cut %s the server gets the COMMIT, each scan is counted once',
    async (moment) => {
      const before = proxy.cuts
      let turn = 0
      proxy.cut = (sql) => (sql === 'commit' && ++turn % 3 === 1 ? moment : undefined)
      const sent: string[] = []
      for (let round = 0; round < 6; round++) {
        sent.push(...(await scan(2, `${moment}-${round}`)))
        await stored()
      }
      proxy.cut = () => undefined
      await everyScanOnce(sent)
      expect(proxy.cuts).toBeGreaterThan(before + 1)
      expect(scanMetric(service, 'scans_lost_total')).toBe(0)
    },
  )

  test('if it is cut at any statements, each scan is counted once', async () => {
    const moment = fc.option(fc.constantFrom<Moment>('before', 'after'), {
      nil: undefined,
      freq: 3,
    })
    let round = 0
    const property = fc.asyncProperty(
      fc.array(moment, { minLength: 5, maxLength: 40 }),
      async (plan) => {
        let statement = 0
        proxy.cut = () => plan[statement++]
        const sent = await scan(6, `random-${round++}`)
        proxy.cut = () => undefined
        await everyScanOnce(sent)
      },
    )
    await fc.assert(property, { seed, numRuns: times(8, 150), endOnFailure: true })
  })

  test('a statement after the cut never runs outside its transaction', async () => {
    const connection = openPostgresLine(proxy.url)
    await connection.run('begin')
    proxy.down()
    proxy.up()
    await eventually(() => !connection.isUsable)
    await expect(
      connection.run('insert into agents (id, text) values ($1, $2)', [1, 'outside']),
    ).rejects.toThrow()
    await expect(connection.run('commit')).rejects.toThrow()
    const agents = service.database.db.selectFrom('agents').selectAll()
    expect(await agents.where('text', '=', 'outside').execute()).toEqual([])
  })

  test('without the database known codes redirect, and unknown ones answer 503', async () => {
    const known = await scan(3, 'before')
    const fresh = await printCode(service.database.db)
    proxy.down()
    const during = await scan(6, 'away')
    const unknown = await visit(`${service.origin}/qr/${fresh.key}`)
    expect(unknown.status).toBe(503)
    expect(unknown.headers['retry-after']).toBe('5')
    expect(unknown.body).toContain('Please try again in a moment')
    expect(scanMetric(service, 'scans_waiting')).toBeGreaterThanOrEqual(6)
    proxy.up()
    await eventually(async () => {
      const { status } = await visit(`${service.origin}/qr/${fresh.key}`, { method: 'HEAD' })
      return status === 302
    })
    await everyScanOnce([...known, ...during])
  })

  test('the next start stores the scans that a stop could not', async () => {
    const known = await scan(3, 'before-stop')
    await everyScanOnce(known)
    const rows = (await ledgerOf(service.database)).length
    proxy.down()
    const during = await scan(20, 'during')
    await service.stop()
    expect(scanMetric(service, 'scans_lost_total')).toBe(0)
    proxy.up()
    service = await start()
    await eventually(async () => (await ledgerOf(service.database)).length >= rows + 20)
    await everyScanOnce([...known, ...during])
  })

  // How many redirects go out before the database goes or comes back.
  const turns = fc.sample(fc.nat(60), { seed, numRuns: times(6, 80) })

  test('if it breaks again and again under load, no scan is lost or counted twice', async () => {
    const crowd = new Crowd('flapping')
    await scan(3, 'warm')
    crowd.start(urls())
    for (const [turn, more] of turns.entries()) {
      const before = crowd.answered.length
      await eventually(() => crowd.answered.length > before + more)
      if (turn % 2 === 0) proxy.down()
      else proxy.up()
    }
    proxy.up()
    await crowd.stop()
    expect(crowd.faults).toEqual([])
    await everyScanOnce(crowd.answered)
  })
})

describe.each(onPostgres)('the pool of connections to %s', (engine) => {
  test('a connection that ends between two statements of a transaction does not end the process', async () => {
    const place = await newPlace(engine)
    const lost: Error[] = []
    const database = connect(place.location, (error) => lost.push(error))
    const broken = database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      // No query is under way on the connection, so only a listener learns that it ended.
      await eventually(() => lost.length > 0)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
    await database.close()
    await place.remove()
  })
})
