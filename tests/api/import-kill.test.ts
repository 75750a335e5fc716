import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../src/contract/time.ts'
import type { Engine } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { manyRows } from '../support/code-file.ts'
import { newPlace, oneEngineInCi, type Place } from '../support/engines.ts'
import { postFile, publishFile, sendFile, WANTED } from '../support/import-file.ts'
import { newPerson, Person } from '../support/person.ts'
import { ended, startProcess } from '../support/process.ts'
import type { Service } from '../support/service.ts'
import { everyNth, isSoak } from '../support/soak.ts'
import { startAt, type Tessera } from '../support/tessera.ts'

const SECRET = 'a secret that only the tests know'
/** Three steps */
const ROWS = 600
const PATHS = 300
/** With rows that are left out, between the others */
const FILE = manyRows(ROWS, PATHS).replaceAll(/Table (\d*50),/g, 'Gap,nowhere,\nTable $1,')
const ALL_ROWS = ROWS + 6
/** All statements from the first to the last one of an import of this size, and some of the time after it. */
const ALL_STATEMENTS = Array.from({ length: 70 }, (_, index) => index + 2)
/** A sixth of them in a soak; in CI one while it is published. */
const STATEMENTS = isSoak ? everyNth(ALL_STATEMENTS, 6) : [47]

/** The codes that the account has, and the slots that it uses */
async function made({ database: { db } }: Service, workspaceId: WorkspaceId) {
  const rows = async (query: { execute: () => Promise<object[]> }) => (await query.execute()).length
  const entries = db.selectFrom('audit_entries').select('id')
  const usage = db.selectFrom('code_usage').select('used').where('workspace_id', '=', workspaceId)
  return {
    codes: await rows(db.selectFrom('codes').select('id').where('workspace_id', '=', workspaceId)),
    paths: await rows(db.selectFrom('paths').select('key')),
    used: (await usage.executeTakeFirst())?.used ?? 0,
    tags: await rows(db.selectFrom('code_tags').select('code_id')),
    entries: await rows(entries.where('event', '=', 'code-import-made')),
  }
}
const NOTHING = { codes: 0, paths: 0, used: 0, tags: 0, entries: 0 }
const ALL = { codes: ROWS, paths: ROWS + PATHS, used: ROWS, tags: ROWS, entries: 1 }

/** A place for the running test. */
async function testPlace(engine: Engine): Promise<Place> {
  const place = await newPlace(engine)
  onTestFinished(place.remove)
  return place
}

async function service(place: Place): Promise<Tessera> {
  const one = await startAt(place)
  onTestFinished(one.stop)
  return one
}

describe.each(oneEngineInCi)('a file of codes on %s', (engine) => {
  async function killed(before: number) {
    const place = await testPlace(engine)
    const first = await startAt(place)
    const person = await newPerson(first, 'unlimited')
    await first.stop()
    const child = await startProcess({
      dataDir: place.dataDir,
      preload: 'dying-statement.ts',
      environment: {
        SESSION_SECRET: SECRET,
        KILLED_FROM: 'insert into "imports"',
        KILLED_BEFORE: String(before),
        ...(place.location.engine === 'postgres' && { DATABASE_URL: place.location.url }),
      },
    })
    const end = once(child.child, 'exit')
    const there = new Person({ origin: child.origin } as Tessera, person.email)
    there.cookie = person.cookie
    const sent = await postFile(there, FILE).catch(() => undefined)
    if (sent?.ok) {
      const { id } = (await sent.json()) as { id: string }
      await publishFile(there, id, { tags: ['Printed'], skipProblems: true }).catch(() => undefined)
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 4_000))])
    }
    await ended(child.child, 'SIGKILL')
    return { place, person }
  }

  test.each(STATEMENTS)(
    'is whole or not there, whatever is killed before its statement %i',
    async (before) => {
      const { place, person } = await killed(before)
      const next = await service(place)
      const { clock } = next
      const now = await made(next, person.workspaceId)
      expect([NOTHING, ALL]).toContainEqual(now)
      // The lease of the killed process ends, and another one goes on with what was asked for.
      clock.advance(120_000)
      await next.app.jobs.runDue()
      const states = await next.database.db.selectFrom('imports').selectAll().execute()
      const [left] = states
      const isAsked = left?.state === 'published'
      expect(await made(next, person.workspaceId)).toEqual(isAsked ? ALL : NOTHING)
      if (isAsked) expect(left).toMatchObject({ told: ALL_ROWS, done: ROWS, holder: null })
      else expect(['reading', 'checked', undefined]).toContain(left?.state)
      // An import that was not to be published is swept.
      clock.advance(8 * DAY_MS)
      await next.app.jobs.runDue()
      expect(await next.database.db.selectFrom('imports').select('id').execute()).toEqual([])
      expect(await next.database.db.selectFrom('import_rows').select('n').execute()).toEqual([])
      expect(await made(next, person.workspaceId)).toEqual(isAsked ? ALL : NOTHING)
    },
  )

  test('is published once by two processes that both want it', async () => {
    const place = await testPlace(engine)
    const [one, other] = [await service(place), await service(place)]
    const person = await newPerson(one, 'unlimited')
    for (let round = 0; round < (isSoak ? 20 : 1); round++) {
      const { id } = await sendFile(person, manyRows(300).replaceAll('Table', `Round ${round}`))
      const own = one.database.db.updateTable('imports').where('id', '=', id)
      await own.set({ state: 'publishing', wanted: WANTED }).execute()
      await one.database.db.deleteFrom('job_leases').execute()
      const runs = [one, other].map(async ({ app, database }) => {
        // Each takes the job's lease for itself.
        await database.db.deleteFrom('job_leases').where('name', '=', 'publish-imports').execute()
        await app.jobs.runDue()
        await app.importsIdle()
      })
      await Promise.all(runs)
      const { codes, used, entries } = await made(one, person.workspaceId)
      const many = 300 * (round + 1)
      expect({ codes, used, entries }).toEqual({ codes: many, used: many, entries: round + 1 })
    }
  })
})
