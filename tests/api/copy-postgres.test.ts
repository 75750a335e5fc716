import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { makeSeed } from '../../scripts/seed/make-seed.ts'
import { RowSum, readTable, tablesOf } from '../../src/server/backup/table-rows.ts'
import { connect, type Database, locationOf } from '../../src/server/database/connect.ts'
import { findMark, removeMark } from '../../src/server/database/service-marks.ts'
import { atOneInstant } from '../../src/server/database/transact.ts'
import { newPlace } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { TEST_LIMIT_MS } from '../support/limits.ts'
import { leadsTo } from '../support/link.ts'
import { newPerson, Person } from '../support/person.ts'
import { addRows } from '../support/rows.ts'
import { environmentOf, runScript, type ScriptPlace } from '../support/script.ts'
import { someOf, times } from '../support/soak.ts'
import { startAt, startTessera } from '../support/tessera.ts'

const SECRET = 'a secret that only the tests know'
const KILLS = times(1, 5)
/** In CI little more than one change of the copy has */
const SCANS = times(2_500, 300_000)
const CODES = times(30, 6_000)
const DAYS = times(20, 395)
/** A soak copies 300,000 scans beside other tests. */
const COPY_LIMIT_MS = TEST_LIMIT_MS / 2
/** Lines of output: a first copy has more, and a later one that finds nothing to do two before its end. */
const LINES = 12

/** The rows and the sum of each table. */
async function sumsOf(database: Database): Promise<Record<string, string>> {
  const { engine } = database.location
  const sums: Record<string, string> = {}
  await atOneInstant(database, async (db) => {
    for (const table of await tablesOf(db, engine)) {
      const sum = new RowSum()
      for await (const page of readTable(db, engine, table)) {
        for (const line of page) sum.add(line)
      }
      sums[table.name] = `${sum.rows} ${sum.sum}`
    }
  })
  return sums
}

/** Runs the copy, kills it after this many lines of its output, and waits for its end. */
async function copyAndKill(place: ScriptPlace, target: string, lines: number) {
  const child = spawn('node', ['scripts/copy-database.ts', target], { env: environmentOf(place) })
  let said = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text.split('\n').length - 1
    if (said >= lines) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('exit', resolve))
}

const scansOf = async ({ db }: Database, codeId: string) => {
  const scans = db.selectFrom('scans').select('id').where('code_id', '=', codeId)
  return (await scans.execute()).length
}

const directions = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
] as const

describe.each(someOf(directions, 3))('a copy from %s to %s', (from, to) => {
  test('that is killed again and again ends with the same rows; saves wait at its end, and no scan is lost', async () => {
    const old = await startTessera({ engine: from })
    const target = await newPlace(to, { empty: true })
    const [location, name] =
      target.location.engine === 'postgres'
        ? [target.location, target.location.url]
        : [locationOf({ dataDir: old.dataDir }), 'sqlite']
    const seed = { scans: SCANS, codes: CODES, accounts: 3, days: DAYS }
    await makeSeed(old.database, { ...seed, now: Date.now() })
    const owner = await newPerson(old, 'unlimited')
    const code = await owner.code({ vanityUrl: `from-${from}` })
    const { dataDir, database } = old
    const logo = { workspace_id: owner.workspaceId, width: 1, height: 1, size: 4, created_at: 0 }
    const odd = {
      id: 'odd',
      name: '"\\\u0001\u007f\né😀',
      reach: 0.1 + 0.2,
      data: Buffer.from([0, 255]),
    }
    await addRows(database.db, 'logos', { ...logo, ...odd })
    const place = { dataDir, location: database.location, environment: { SESSION_SECRET: SECRET } }
    let scans = 0
    const scan = async () => {
      expect(await leadsTo(old, `from-${from}`)).toBe(code.url)
      scans++
    }
    for (let kill = 1; kill <= KILLS; kill++) {
      await copyAndKill(place, name, Math.round((kill * LINES) / KILLS))
      await scan()
      if (await findMark(database.db, 'moved')) break
      // It may have been killed while saves waited, which they would do for two minutes more.
      await removeMark(database.db, 'moving')
      await eventually(async () => (await owner.patch(code.id, { name: `Kill ${kill}` })).ok)
    }

    const copying = runScript('copy-database', place, name)
    let retryAfter: string | null = null
    await eventually(async () => {
      await scan()
      const answer = await owner.patch(code.id, { name: 'In between' })
      retryAfter = answer.status === 503 ? answer.headers.get('retry-after') : null
      return retryAfter !== null
    }, COPY_LIMIT_MS)
    expect(retryAfter).toBe('30')
    await scan()
    const { stdout } = await copying
    expect(stdout).toMatch(/\nscans +[\d,]+ rows {2}[0-9a-f]{32}\n/)
    const copy = connect(location, () => {})
    expect(await sumsOf(copy)).toEqual(await sumsOf(database))
    await copy.close()
    // The old place serves links until it is stopped, and saves nothing more.
    await scan()
    expect((await owner.patch(code.id, { name: 'Too late' })).status).toBe(503)
    await old.app.server.close()

    const service = await startAt({ dataDir, location })
    const later = new Person(service, owner.email)
    later.cookie = owner.cookie
    expect(await later.ask('/api/qr-codes')).toHaveLength(1)
    expect(await leadsTo(service, `from-${from}`)).toBe(code.url)
    await eventually(async () => (await scansOf(service.database, code.id)) === scans + 1)
    await service.stop()

    await runScript('copy-database', place, '--take-back')
    await old.stop()
    await target.remove()
  })
})
