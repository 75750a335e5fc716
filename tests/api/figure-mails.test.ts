import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Breakdown, FigureMails, Figures } from '../../src/contract/analytics/figures.ts'
import { findAccount } from '../../src/server/accounts/users-store.ts'
import {
  type FigureMailsDeps,
  sendFigureMails,
} from '../../src/server/analytics/mails/figure-mails-job.ts'
import { dueFigureMails } from '../../src/server/analytics/mails/figure-mails-store.ts'
import { openCounter } from '../../src/server/analytics/query/counter.ts'
import { sqlScans } from '../../src/server/analytics/store/sql-scans.ts'
import { listSeries } from '../../src/server/codes/code-lists.ts'
import { mailRoom } from '../../src/server/mail/mail-room.ts'
import { ownerOf } from '../../src/server/memberships.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { runJobs } from '../support/jobs.ts'
import { eventually } from '../support/ledger.ts'
import { TEST_LIMIT_MS } from '../support/limits.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson, type Person, prove, subscribe } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

const MAILS = '/api/analytics/mails'
const BERLIN = 'Europe/Berlin'
const LAST_WEEK = 'Your QR codes last week:'

describe.each(oneEngineInCi)('mails of figures on %s', (engine) => {
  const tessera = runTessera({ engine })
  beforeEach(() => tessera.clock.set('2027-01-20T12:00:00Z'))
  // No account is mailed in another one's test.
  afterEach(() => tessera.database.db.deleteFrom('figure_mails').execute())

  const setting = (person: Person) => person.ask<FigureMails>(MAILS)
  const choose = (person: Person, every: string, timeZone = BERLIN) =>
    person.call(MAILS, { method: 'PUT', body: { every, timeZone } })
  const subjects = (person: Person) => subjectsTo(tessera, person.email)

  /** A user on a paid plan, whose address is proved and who has a code. */
  async function subscriber(name = 'Menu') {
    const person = await newPerson(tessera, 'starter')
    await prove(person)
    const { id } = await printCode(tessera.database.db, { workspace_id: person.workspaceId, name })
    return { person, code: id }
  }
  const scans = (code: string, instants: string[], scan: Partial<PastScan> = {}) =>
    recordPast(
      tessera.database.location,
      instants.map((at, n) => ({ code_id: code, at: Date.parse(at), visitor: `${n}`, ...scan })),
    )

  /** Runs the job at this instant, in UTC. */
  async function runAt(instant: string) {
    tessera.clock.set(instant)
    await runJobs(tessera)
    await allSent(tessera)
  }

  test('are off until the user switches them on, and can be changed and switched off', async () => {
    tessera.clock.set('2027-01-06T12:00:00Z')
    const { person } = await subscriber()
    expect(await setting(person)).toEqual({ every: 'off', timeZone: null, nextAt: null })
    const weekly = { every: 'weekly', timeZone: BERLIN, nextAt: '2027-01-11T06:00:00.000Z' }
    expect(await (await choose(person, 'weekly')).json()).toEqual(weekly)
    expect(await setting(person)).toEqual(weekly)
    await choose(person, 'monthly', 'America/New_York')
    expect(await setting(person)).toMatchObject({
      every: 'monthly',
      timeZone: 'America/New_York',
      nextAt: '2027-02-01T12:00:00.000Z',
    })
    await choose(person, 'off')
    expect(await setting(person)).toMatchObject({ every: 'off', nextAt: null })
    const { db } = tessera.database
    const history = await rowsOf(db, 'audit_entries', { user_id: person.id }, 'at')
    expect(history.map(({ event, subject }) => `${event}: ${subject}`)).toEqual([
      'notices-changed: figures weekly',
      'notices-changed: figures monthly',
      'notices-changed: figures off',
    ])
    expect((await choose(person, 'daily')).status).toBe(422)
    expect((await choose(person, 'weekly', 'Mars/Olympus')).status).toBe(422)
  })

  test('come with a paid plan; a user without one can switch them off', async () => {
    const person = await newPerson(tessera)
    expect(await refusal(await choose(person, 'weekly'))).toMatchObject({
      status: 403,
      code: 'figure_mails_not_in_plan',
    })
    expect((await choose(person, 'off')).status).toBe(200)
    expect(await setting(person)).toMatchObject({ every: 'off' })
  })

  test('tell on Monday at seven of the week before, with the figures of the drawer', async () => {
    tessera.clock.set('2027-01-06T12:00:00Z')
    const { person, code } = await subscriber('Menu <b>')
    const second = await printCode(tessera.database.db, {
      workspace_id: person.workspaceId,
      name: 'Poster',
    })
    await choose(person, 'weekly')
    // Monday 0:30 and Sunday 23:30 in Berlin; the third is of the Monday after.
    await scans(code, ['2027-01-03T23:30:00Z', '2027-01-10T22:30:00Z', '2027-01-10T23:30:00Z'])
    await scans(code, ['2026-12-30T12:00:00Z'])
    await scans(second.id, ['2027-01-08T17:15:00Z', '2027-01-08T17:20:00Z', '2027-01-09T17:00:00Z'])
    await scans(second.id, ['2027-01-08T17:20:00Z'], { class: 'bot', visitor: null })
    await runAt('2027-01-11T05:59:00Z')
    expect(await subjects(person)).toEqual([])
    await runAt('2027-01-11T06:00:10Z')
    expect(await subjects(person)).toEqual([`${LAST_WEEK} 5 scans`])
    const [mail] = await mailsTo(tessera, person.email)
    const asked = 'range=free&from=2027-01-04&to=2027-01-10&tz=Europe/Berlin'
    const drawer = await person.ask<Figures>(`/api/analytics/figures?${asked}`)
    expect(drawer).toMatchObject({ scans: 5, visitors: 5, before: { scans: 1 } })
    const text = mail?.text ?? ''
    expect(text).toContain(
      'From Monday, January 4 to Sunday, January 10, your QR codes had 5 scans. That is 400% more than in the week before.',
    )
    expect(text).toContain(
      'Visitors: 5 (400% more)\nBest day: Fri, Jan 8 (2 scans)\nBest hour: 6 – 7 PM (3 scans)',
    )
    expect(text).toContain('Poster: 3 (none before)\nMenu <b>: 2 (100% more)')
    const { rows } = await person.ask<Breakdown>(`/api/analytics/breakdown?facet=country&${asked}`)
    expect(rows).toMatchObject([{ label: 'Germany', scans: 5 }])
    expect(text).toContain('Countries\nGermany: 5 (100%)')
    expect(mail?.html).toContain('Menu &lt;b&gt;')
    // Once.
    for (const minute of ['01', '30']) await runAt(`2027-01-11T06:${minute}:40Z`)
    expect(await subjects(person)).toHaveLength(1)
    await runAt('2027-01-18T06:00:10Z')
    expect((await subjects(person)).at(-1)).toBe(`${LAST_WEEK} 1 scan`)
  })

  test('on the first are about the month before, even one without a scan', async () => {
    const { person, code } = await subscriber()
    await choose(person, 'monthly', 'Asia/Kathmandu')
    await scans(code, ['2027-01-15T12:00:00Z'])
    await runAt('2027-02-01T01:14:00Z')
    expect(await subjects(person)).toEqual([])
    await runAt('2027-02-01T01:15:10Z')
    await runAt('2027-03-02T00:00:00Z')
    expect(await subjects(person)).toEqual([
      'Your QR codes in January: 1 scan',
      'Your QR codes in February: no scans',
    ])
  })

  test('come once after weeks in which no server ran, and tell of the last one', async () => {
    const { person, code } = await subscriber()
    await choose(person, 'weekly')
    await scans(code, ['2027-01-21T12:00:00Z', '2027-02-16T12:00:00Z', '2027-02-17T12:00:00Z'])
    await runAt('2027-02-26T15:00:00Z')
    await runAt('2027-02-26T15:01:00Z')
    expect(await subjects(person)).toEqual([`${LAST_WEEK} 2 scans`])
    expect(await setting(person)).toMatchObject({ nextAt: '2027-03-01T06:00:00.000Z' })
  })

  test('wait while a plan has lapsed, and go on when it is paid again', async () => {
    const { person } = await subscriber()
    await choose(person, 'weekly')
    await subscribe(person, 'starter', 'canceled')
    await runAt('2027-01-25T06:00:10Z')
    expect(await subjects(person)).toEqual([])
    expect(await setting(person)).toMatchObject({ every: 'weekly', nextAt: null })
    expect((await choose(person, 'monthly')).status).toBe(403)
    await subscribe(person, 'starter')
    expect(await setting(person)).toMatchObject({ every: 'weekly' })
    await runAt('2027-01-25T07:00:00Z')
    expect(await subjects(person)).toEqual([])
    await runAt('2027-02-01T06:00:10Z')
    expect(await subjects(person)).toHaveLength(1)
  })

  test('are not sent without a proved address, without a code, or after the account is deleted', async () => {
    const unproved = await newPerson(tessera, 'starter')
    await printCode(tessera.database.db, { workspace_id: unproved.workspaceId })
    const bare = await newPerson(tessera, 'starter')
    await prove(bare)
    const { person: leaving } = await subscriber()
    for (const person of [unproved, bare, leaving]) await choose(person, 'weekly')
    await leaving.make('/api/account/deletion', {})
    await runAt('2027-01-25T06:00:10Z')
    for (const person of [unproved, bare]) expect(await subjects(person)).toEqual([])
    expect((await subjects(leaving)).join()).not.toContain(LAST_WEEK)
    await prove(unproved)
    await runAt('2027-01-25T06:01:00Z')
    expect(await subjects(unproved)).toEqual([])
    await runAt('2027-02-01T06:00:10Z')
    expect(await subjects(unproved)).toEqual([`${LAST_WEEK} no scans`])
  })

  test('follow the time zone of the account, and no week is told twice or left out', async () => {
    const { person } = await subscriber()
    await choose(person, 'weekly')
    await runAt('2027-01-25T06:00:10Z')
    const move = (timeZone: string) => person.amend('/api/account', { timeZone })
    await move('America/New_York')
    expect(await setting(person)).toMatchObject({ timeZone: 'America/New_York' })
    await runAt('2027-01-25T12:00:10Z')
    expect(await subjects(person)).toHaveLength(1)
    // In Tokyo it is noon of the next Monday when it is not yet in New York.
    tessera.clock.set('2027-02-01T03:00:00Z')
    await move('Asia/Tokyo')
    await runAt('2027-02-01T03:01:00Z')
    expect(await subjects(person)).toHaveLength(2)
    await runAt('2027-02-01T12:01:00Z')
    expect(await subjects(person)).toHaveLength(2)
  })

  test('stop with one click in the mail program, and with a button on a page', async () => {
    const { person } = await subscriber()
    await choose(person, 'weekly')
    await runAt('2027-01-25T06:00:10Z')
    const [mail] = await mailsTo(tessera, person.email)
    const list = mail?.headers.get('list') as { unsubscribe?: { url: string } } | undefined
    const address = list?.unsubscribe?.url ?? ''
    // Programs that check links only look.
    const page = await fetch(address)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const html = await page.text()
    expect(html).toContain('We’ll stop emailing you about the analytics of your QR codes.')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(await setting(person)).toMatchObject({ every: 'weekly' })
    expect((await fetch(address, { method: 'POST' })).status).toBe(200)
    expect(await setting(person)).toMatchObject({ every: 'off' })
    await runAt('2027-02-01T06:00:10Z')
    expect(await subjects(person)).toHaveLength(1)
  })

  /** The job of a process of its own. */
  function newJob(change: Partial<FigureMailsDeps> = {}) {
    const { database, config, clock } = tessera
    const { db, reads, location } = database
    const log = pino({ level: 'silent' })
    const { mailer } = mailRoom({ db, clock: clock.now, log, config })
    const job = sendFigureMails({
      db,
      scans: sqlScans(database, { clock: clock.now }),
      clock: clock.now,
      log,
      mailer,
      publicUrl: config.publicUrl,
      inCounterTurn: openCounter(location, { taskMs: TEST_LIMIT_MS }).run,
      codesFor: (id) => listSeries(reads, id),
      silencesOf: async () => new Map(),
      readerOf: async (id) => findAccount(db, { id: await ownerOf(db, id) }),
      isPaid: async () => true,
      unsubscribeUrl: () => `${config.publicUrl}/api/unsubscribe?token=x`,
      flush: async () => true,
      ...change,
    })
    return { run: job.run, mailer }
  }

  test('are sent once where two processes do it at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => subscriber()))
    for (const { person } of people) await choose(person, 'weekly')
    tessera.clock.set('2027-01-25T06:00:10Z')
    const jobs = [newJob(), newJob()]
    // A run ends after some seconds: the accounts that are left come in the next one.
    await eventually(async () => {
      await Promise.all(jobs.map(({ run }) => run()))
      return (await dueFigureMails(tessera.database.db, tessera.clock.now(), 1)).length === 0
    }, TEST_LIMIT_MS)
    await allSent(tessera)
    for (const { person } of people) expect(await subjects(person)).toHaveLength(1)
  })

  test('are sent once where a process dies between the mail and the commit', async () => {
    const { person } = await subscriber()
    await choose(person, 'weekly')
    tessera.clock.set('2027-01-25T06:00:10Z')
    const { mailer } = newJob()
    const dying = {
      ...mailer,
      queue: async (...mail: Parameters<typeof mailer.queue>) => {
        await mailer.queue(...mail)
        throw new Error('killed')
      },
    }
    await newJob({ mailer: dying }).run()
    await allSent(tessera)
    expect(await subjects(person)).toEqual([])
    await runAt('2027-01-25T06:15:20Z')
    await runAt('2027-01-25T06:31:20Z')
    expect(await subjects(person)).toEqual([`${LAST_WEEK} no scans`])
  })

  test('do not wait for ever where a clock was ahead for a while', async () => {
    tessera.clock.set('2028-06-07T12:00:00Z')
    const { person } = await subscriber()
    await choose(person, 'weekly')
    await runAt('2027-01-20T12:00:00Z')
    await runAt('2027-01-25T06:00:10Z')
    expect(await subjects(person)).toEqual([`${LAST_WEEK} no scans`])
  })
})
