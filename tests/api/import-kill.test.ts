import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/time.ts'
import { manyRows } from '../support/code-file.ts'
import { newPlace, oneEngineInCi, type Place } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { postFile, publishFile, sendFile, WANTED } from '../support/import-file.ts'
import { newPerson, Person } from '../support/person.ts'
import { ended, startProcess } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'
import { isSoak, someOf } from '../support/soak.ts'
import type { Tessera } from '../support/tessera.ts'
import { TestClock } from '../support/test-clock.ts'

const SECRET = 'a secret that only the tests know'
/** Three steps */
const ROWS = 600
const PATHS = 300
/** With rows that are left out, between the others */
const FILE = manyRows(ROWS, PATHS).replaceAll(/Table (\d*50),/g, 'Gap,nowhere,\nTable $1,')
const ALL_ROWS = ROWS + 6
/** All statements from the first to the last one of an import of this size, and some of the time after it. */
const STATEMENTS = Array.from({ length: 70 }, (_, index) => index + 2)

let undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})

/** The codes that the account has, and the slots that it uses */
async function made(service: Service, userId: string) {
  const { db } = service.database
  const codes = await db.selectFrom('codes').select('id').where('user_id', '=', userId).execute()
  const paths = await db.selectFrom('paths').select('key').execute()
  const usage = await db.selectFrom('code_usage').select('used').where('user_id', '=', userId)
  const used = (await usage.executeTakeFirst())?.used ?? 0
  const tags = await db.selectFrom('code_tags').select('code_id').execute()
  const entries = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('event', '=', 'code-import-made')
    .execute()
  return {
    codes: codes.length,
    paths: paths.length,
    used,
    tags: tags.length,
    entries: entries.length,
  }
}
const NOTHING = { codes: 0, paths: 0, used: 0, tags: 0, entries: 0 }
const ALL = { codes: ROWS, paths: ROWS + PATHS, used: ROWS, tags: ROWS, entries: 1 }

async function service(place: Place, clock = new TestClock()): Promise<Service & Tessera> {
  const one = await startService({ ...place, clock })
  undo.push(() => one.stop())
  return { ...one, dataDir: place.dataDir } as Service & Tessera
}

describe.each(oneEngineInCi)('a file of codes on %s', (engine) => {
  async function killed(before: number) {
    const place = await newPlace(engine)
    undo.push(() => place.remove())
    const first = await service(place)
    const person = await newPerson(first, 'unlimited')
    await first.stop()
    undo.pop()
    const port = await freePort()
    const child = await startProcess({
      dataDir: place.dataDir,
      port,
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

  test.each(someOf(STATEMENTS, 45))(
    'is whole or not there, whatever is killed before its statement %i',
    async (before) => {
      const { place, person } = await killed(before)
      const clock = new TestClock()
      const next = await service(place, clock)
      const now = await made(next, person.id)
      expect([NOTHING, ALL]).toContainEqual(now)
      // The lease of the killed process ends, and another one goes on with what was asked for.
      clock.advance(120_000)
      await next.app.jobs.runDue()
      const states = await next.database.db.selectFrom('imports').selectAll().execute()
      const [left] = states
      const isAsked = left?.state === 'published'
      expect(await made(next, person.id)).toEqual(isAsked ? ALL : NOTHING)
      if (isAsked) expect(left).toMatchObject({ told: ALL_ROWS, done: ROWS, holder: null })
      else expect(['reading', 'checked', undefined]).toContain(left?.state)
      // An import that was not to be published is swept.
      clock.advance(8 * DAY_MS)
      await next.app.jobs.runDue()
      expect(await next.database.db.selectFrom('imports').select('id').execute()).toEqual([])
      expect(await next.database.db.selectFrom('import_rows').select('n').execute()).toEqual([])
      expect(await made(next, person.id)).toEqual(isAsked ? ALL : NOTHING)
    },
  )

  test('is published once by two processes that both want it', async () => {
    const place = await newPlace(engine)
    undo.push(() => place.remove())
    const [one, other] = [await service(place), await service(place)]
    const person = await newPerson(one, 'unlimited')
    for (let round = 0; round < (isSoak ? 20 : 1); round++) {
      const { id } = await sendFile(person, manyRows(300).replaceAll('Table', `Round ${round}`))
      await one.database.db
        .updateTable('imports')
        .set({ state: 'publishing', wanted: WANTED })
        .where('id', '=', id)
        .execute()
      await one.database.db.deleteFrom('job_leases').execute()
      const runs = [one, other].map(async ({ app, database }) => {
        // Each takes the job's lease for itself.
        await database.db.deleteFrom('job_leases').where('name', '=', 'publish-imports').execute()
        await app.jobs.runDue()
        await app.importsIdle()
      })
      await Promise.all(runs)
      const { codes, used, entries } = await made(one, person.id)
      const many = 300 * (round + 1)
      expect({ codes, used, entries }).toEqual({ codes: many, used: many, entries: round + 1 })
    }
  })
})
