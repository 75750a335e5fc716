import { randomUUID } from 'node:crypto'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { readConfig } from '../../src/server/config.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { mailRoom } from '../../src/server/mail/mail-room.ts'
import { claimMail } from '../../src/server/mail/mails-store.ts'
import { engines, newPlace, oneEngineInCi, type Place } from '../support/engines.ts'
import { GOOD_PASSWORD, MailServer } from '../support/mail-server.ts'
import { mailsTo } from '../support/outbox.ts'
import { TestClock } from '../support/test-clock.ts'
import { databaseForEach } from '../support/test-database.ts'

const LINK = 'https://qr.example.com/api/login?link=sign-in#a-secret-token'

/** The mail room of one process. */
type Process = ReturnType<typeof mailRoom> & { database: Database; runJob: () => void }

describe.each(engines)('mails on %s', (engine) => {
  let place: Place
  let server: MailServer
  let clock: TestClock
  let logged: string[]
  let processes: Process[]
  beforeEach(async () => {
    place = await newPlace(engine)
    server = await MailServer.start()
    clock = new TestClock()
    logged = []
    processes = []
  })
  afterEach(async () => {
    server.letGo()
    await server.stop()
    for (const process of processes) await end(process)
    await place.remove()
  })

  function start(environment: Record<string, string> = server.environment): Process {
    const config = readConfig({
      DATA_DIR: place.dataDir,
      PUBLIC_URL: 'https://qr.example.com',
      ...environment,
    })
    const database = connect(place.location, () => {})
    const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
    const room = mailRoom({ db: database.db, clock: clock.now, log, config })
    // A test may end before the job does, and closes the database.
    const runJob = () => room.jobs.forEach((job) => void job.run().catch(() => {}))
    const process = { ...room, database, runJob }
    processes.push(process)
    return process
  }

  async function end({ stop, database }: Process) {
    await stop()
    await database.close()
  }

  async function queue({ mailer, database }: Process, given: object = {}) {
    const to = `${randomUUID()}@example.com`
    const letter = {
      subject: 'Your login link',
      paragraphs: ['With this link you sign in.'],
      button: { label: 'Sign in', url: LINK },
    }
    await mailer.queue(database.db, { kind: 'sign-in', to, letter, lifeMs: HOUR_MS, ...given })
    return to
  }

  const waiting = async ({ database }: Process) =>
    (await database.db.selectFrom('mails').select('id').execute()).length
  const nothingWaits = (process: Process) => expect.poll(() => waiting(process)).toBe(0)
  const metric = (process: Process, name: string) =>
    process.metrics().find((each) => each.name === `tessera_mails_${name}_total`)?.value

  test('is sent once, as text and as HTML, from the operator’s address', async () => {
    const own = start()
    const to = await queue(own)
    own.mailer.soon()
    await nothingWaits(own)
    own.mailer.soon()
    own.runJob()
    await nothingWaits(own)
    expect(server.received).toHaveLength(1)
    const [mail] = server.mailsTo(to)
    expect(mail).toMatchObject({ subject: 'Your login link' })
    expect(mail?.from?.text).toBe('"Tessera" <qr@tessera.example>')
    expect(mail?.messageId).toMatch(/^<[\w-]+@qr\.example\.com>$/)
    expect(mail?.text).toContain(LINK)
    expect(mail?.html).toContain(LINK)
    expect(mail?.html).toContain('prefers-color-scheme:dark')
    expect(mail?.html).not.toMatch(/<img|src=|url\(/)
    expect(mail?.attachments).toEqual([])
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.headers.has('list')).toBe(false)
    expect(metric(own, 'sent')).toBe(1)
  })

  test('two processes send each mail once', async () => {
    const [here, there] = [start(), start()]
    const recipients: string[] = []
    for (let mail = 0; mail < 20; mail++) recipients.push(await queue(mail % 2 ? here : there))
    here.mailer.soon()
    there.mailer.soon()
    await nothingWaits(here)
    for (const to of recipients) expect(server.mailsTo(to)).toHaveLength(1)
    expect(Number(metric(here, 'sent')) + Number(metric(there, 'sent'))).toBe(20)
  })

  test('a process that ends between sending and writing it down sends again, with the same Message-ID', async () => {
    const first = start()
    server.toMail = 'hold'
    const to = await queue(first)
    first.mailer.soon()
    await expect.poll(() => server.mailsTo(to).length).toBe(1)
    // From here on this process can write nothing down, as if it had been killed.
    await first.database.close()
    server.letGo()
    const second = start()
    second.runJob()
    clock.advance(4 * MINUTE_MS)
    second.runJob()
    await expect.poll(() => waiting(second)).toBe(1)
    expect(server.mailsTo(to)).toHaveLength(1)
    clock.advance(2 * MINUTE_MS)
    second.runJob()
    await nothingWaits(second)
    const [sent, again] = server.mailsTo(to)
    expect(again?.messageId).toBe(sent?.messageId)
  })

  /** Mails that wait since before all others, each for another recipient. */
  async function fill({ database: { db } }: Process, kind: string, { count = 0, priority = 0 }) {
    const at = clock.now().getTime() - HOUR_MS
    await sql`insert into mails (id, kind, recipient, subject, text, html, created_at, expires_at,
        attempts, next_at, priority)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
      select ${sql.lit(kind)} || n, ${sql.lit(kind)}, n || '@example.net', 'A mail', 'Text', 'Text',
        ${sql.lit(at)} + n, ${sql.lit(at + 24 * HOUR_MS)}, 0, ${sql.lit(at)} + n, ${sql.lit(priority)}
      from numbers`.execute(db)
  }

  const send = ({ mailer, database }: Process, given: { kind: string; to: string }) => {
    const letter = { subject: 'Something happened', paragraphs: ['Now.'] }
    return mailer.queue(database.db, { letter, lifeMs: HOUR_MS, ...given })
  }
  const idsOf = async ({ database }: Process, kind: string) =>
    (await database.db.selectFrom('mails').select('id').where('kind', '=', kind).execute()).length

  test('a queue full of notices keeps room for a link, which is sent first', async () => {
    const own = start()
    await fill(own, 'deletion-asked', { count: 20_000, priority: 1 })
    expect(await send(own, { kind: 'passkey-added', to: 'ada@example.com' })).toBe(false)
    expect(metric(own, 'dropped')).toBe(1)
    expect(await send(own, { kind: 'reset-password', to: 'ada@example.com' })).toBe(true)
    const first = await claimMail(own.database.db, clock.now())
    expect(first).toMatchObject({ kind: 'reset-password', recipient: 'ada@example.com' })
  })

  test('a kind of link that many wait for takes no room of another, and its oldest give way', async () => {
    const own = start()
    await fill(own, 'sign-in', { count: 5_000 })
    expect(await send(own, { kind: 'reset-password', to: 'ada@example.com' })).toBe(true)
    expect(metric(own, 'dropped')).toBe(0)
    expect(await send(own, { kind: 'sign-in', to: 'ada@example.com' })).toBe(true)
    expect(metric(own, 'dropped')).toBe(1)
    expect(await idsOf(own, 'sign-in')).toBe(5_000)
    const { db } = own.database
    const oldest = db.selectFrom('mails').select('id').where('id', '=', 'sign-in1')
    expect(await oldest.execute()).toEqual([])
  })

  test('a recipient has five waiting mails with each kind of link, the newest', async () => {
    const own = start()
    await send(own, { kind: 'reset-password', to: 'grace@example.com' })
    for (let mail = 0; mail < 8; mail++) {
      clock.advance(1_000)
      await send(own, { kind: 'reset-password', to: 'ada@example.com' })
    }
    expect(await idsOf(own, 'reset-password')).toBe(6)
    expect(metric(own, 'replaced')).toBe(3)
  })

  test('a notice takes the place of an equal one that waits, and of no other', async () => {
    const own = start()
    const mail = { kind: 'api-key-made', to: 'ada@example.com' }
    const other = { subject: 'Another key', paragraphs: ['Now.'] }
    for (const given of [mail, mail, { ...mail, letter: other }]) await send(own, given)
    await send(own, { ...mail, to: 'grace@example.com' })
    await send(own, { ...mail, kind: 'passkey-added' })
    expect(await idsOf(own, 'api-key-made')).toBe(3)
    expect(await waiting(own)).toBe(4)
    expect(metric(own, 'replaced')).toBe(1)
  })

  test('an account and a recipient get ten notices of a kind in an hour', async () => {
    const own = start()
    const many = async (given: (mail: number) => object) => {
      const answers: boolean[] = []
      for (let mail = 0; mail < 12; mail++) {
        const to = 'ada@example.com'
        answers.push(await send(own, { kind: 'deletion-asked', to, ...given(mail) }))
      }
      return answers.filter((isQueued) => isQueued).length
    }
    expect(await many(() => ({}))).toBe(10)
    expect(await many((mail) => ({ account: 'ada', to: `ada${mail}@example.com` }))).toBe(10)
    expect(metric(own, 'dropped')).toBe(4)
    expect(await many(() => ({ kind: 'passkey-added' }))).toBe(10)
    clock.advance(2 * HOUR_MS)
    expect(await many(() => ({}))).toBe(10)
  })

  // The rest has statements that are alike on every engine.
  if (!oneEngineInCi.includes(engine)) return

  test('a server that is busy (4xx) gets it again after one, five and fifteen minutes', async () => {
    const own = start()
    server.toRecipient = { code: 451, text: 'Try again later' }
    await queue(own)
    own.mailer.soon()
    await expect.poll(() => metric(own, 'failed')).toBe(1)
    for (const [failures, minutes] of [
      [2, 1],
      [3, 5],
      [4, 15],
    ] as const) {
      clock.advance(minutes * MINUTE_MS - 5_000)
      own.runJob()
      await expect.poll(() => metric(own, 'failed')).toBe(failures - 1)
      clock.advance(10_000)
      own.runJob()
      await expect.poll(() => metric(own, 'failed')).toBe(failures)
    }
    expect(server.tried).toHaveLength(4)
    expect(await waiting(own)).toBe(1)
  })

  test('a mail server that is down gets all mails when it is back', async () => {
    const { port } = server
    const own = start()
    await server.stop()
    const recipients = [await queue(own), await queue(own)]
    own.mailer.soon()
    await expect.poll(() => metric(own, 'failed')).toBe(2)
    server = await MailServer.start(port)
    clock.advance(2 * MINUTE_MS)
    own.runJob()
    await nothingWaits(own)
    for (const to of recipients) expect(server.mailsTo(to)).toHaveLength(1)
  })

  test('a mail that the server refuses (5xx) is dropped, and the log says so without its link', async () => {
    const own = start()
    server.toMail = { code: 554, text: `Spam, because of ${LINK}` }
    await queue(own)
    own.mailer.soon()
    await nothingWaits(own)
    expect(metric(own, 'refused')).toBe(1)
    const [line = '', ...more] = logged
    expect(more).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      kind: 'sign-in',
      attempts: 1,
      responseCode: 554,
      msg: 'the mail server refuses a mail; it is dropped',
    })
    expect(line).toContain('Spam, because of')
    expect(line).not.toContain('secret-token')
  })

  test('a password that the mail server refuses loses no mail, and is not logged', async () => {
    const urlWith = (password: string) => `smtp://user:${password}@127.0.0.1:${server.port}`
    const wrong = start({ ...server.environment, SMTP_URL: urlWith('a-wrong-password') })
    const to = await queue(wrong)
    wrong.mailer.soon()
    await expect.poll(() => metric(wrong, 'failed')).toBe(1)
    // Or it would try again as soon as the clock goes on.
    await wrong.stop()
    expect(await waiting(wrong)).toBe(1)
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ code: 'EAUTH', responseCode: 535 })
    expect(logged.join('')).not.toContain('a-wrong-password')
    const right = start({ ...server.environment, SMTP_URL: urlWith(GOOD_PASSWORD) })
    clock.advance(2 * MINUTE_MS)
    right.runJob()
    await server.mailTo(to, 'Your login link')
  })

  test('a mail that was not sent in time is dropped, and its link is not sent', async () => {
    const own = start()
    server.toRecipient = { code: 451, text: 'Try again later' }
    await queue(own)
    own.mailer.soon()
    await expect.poll(() => metric(own, 'failed')).toBe(1)
    server.letGo()
    clock.advance(HOUR_MS)
    own.runJob()
    await nothingWaits(own)
    expect(server.received).toEqual([])
    expect(metric(own, 'expired')).toBe(1)
  })

  test('a mail server that holds a mail holds up neither other mails nor other jobs', async () => {
    const own = start()
    server.toMail = 'hold'
    const held = await queue(own)
    own.mailer.soon()
    await expect.poll(() => server.mailsTo(held).length).toBe(1)
    server.toMail = 'take'
    const others = [await queue(own), await queue(own), await queue(own)]
    own.mailer.soon()
    for (const job of own.jobs) await job.run()
    for (const to of others) await server.mailTo(to, 'Your login link')
    await expect.poll(() => waiting(own)).toBe(1)
    server.letGo()
    await nothingWaits(own)
  })

  test('an old next try that a clock set far ahead does not hold a mail up', async () => {
    const own = start()
    server.toRecipient = { code: 451, text: 'Try again later' }
    clock.advance(400 * 24 * HOUR_MS)
    const to = await queue(own)
    own.mailer.soon()
    await expect.poll(() => metric(own, 'failed')).toBe(1)
    server.letGo()
    clock.advance(-400 * 24 * HOUR_MS)
    own.runJob()
    await nothingWaits(own)
    expect(server.mailsTo(to)).toHaveLength(1)
  })
})

describe('without a mail server', () => {
  const database = databaseForEach('sqlite')

  function start() {
    const config = readConfig({ DATA_DIR: database.dataDir })
    const log = pino({ level: 'silent' })
    return mailRoom({ db: database.db, clock: () => new Date(), log, config })
  }

  const letter = { subject: 'Choose a new password', paragraphs: ['Here.'] }
  const mail = { kind: 'reset-password', to: 'ada@example.com', letter, lifeMs: HOUR_MS }
  const outbox = () => join(database.dataDir, 'outbox')

  test('each mail is a whole file that only the service can read', async () => {
    const { mailer } = start()
    expect(mailer.hasServer).toBe(false)
    await mailer.queue(database.db, mail)
    mailer.soon()
    await expect.poll(async () => (await mailsTo(database, mail.to)).length).toBe(1)
    const [written] = await mailsTo(database, mail.to)
    expect(written).toMatchObject({ subject: letter.subject })
    const [name = '', ...more] = await readdir(outbox())
    expect(more).toEqual([])
    expect(name).toMatch(/^[\dTZ.:-]+-reset-password-[\w-]+\.eml$/)
    expect((await stat(join(outbox(), name))).mode & 0o777).toBe(0o600)
    expect((await stat(outbox())).mode & 0o777).toBe(0o700)
  })

  test('the oldest files make room: a thousand are kept', async () => {
    await mkdir(outbox())
    const old = Array.from(
      { length: 1_000 },
      (_, index) => `2020-01-01T00-00-00.000Z-${index + 1_000}.eml`,
    )
    for (const name of old) await writeFile(join(outbox(), name), '')
    const { mailer } = start()
    await mailer.queue(database.db, mail)
    mailer.soon()
    await expect
      .poll(async () => (await readdir(outbox())).includes('2020-01-01T00-00-00.000Z-1000.eml'))
      .toBe(false)
    const left = await readdir(outbox())
    expect(left).toHaveLength(1_000)
    expect(left.some((name) => name.includes('reset-password'))).toBe(true)
  })
})
