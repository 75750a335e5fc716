import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/accounts/accounts.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { deleteAccounts } from '../../src/server/accounts/deletion/purge.ts'
import { addKey } from '../../src/server/accounts/programs/keys-store.ts'
import { forgetCodes } from '../../src/server/analytics/analytics-room.ts'
import {
  forgetAccount,
  forgetScans,
} from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { recordEvent } from '../../src/server/audit.ts'
import { endOfAccount } from '../../src/server/billing/end-of-account.ts'
import { purgeCodes } from '../../src/server/codes/cleanup.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { jobsAfter } from '../support/jobs.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { allSent, mailTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { recordPast } from '../support/past-scans.ts'
import { eventsOf, newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { times } from '../support/soak.ts'
import { runShop, subscriber } from '../support/stripe/shop.ts'
import { runTessera, type Tessera } from '../support/tessera.ts'

const DELETION = '/api/account/deletion'
const DOWN = { kind: 'status', status: 503 } as const

type Answer = { deletionAt: string }
async function ask(person: Person) {
  const answer = await person.make<Answer>(DELETION, {})
  await allSent(person.tessera)
  return answer
}
const keep = (person: Person) => person.delete(DELETION)
const user = (person: Person) => person.ask<User>('/api/auth/user')

async function runJobs(tessera: Tessera, after: number) {
  await jobsAfter(tessera, after)
  await allSent(tessera)
}

/** Passes the time from the request to the last trace. */
async function passAll(tessera: Tessera) {
  await runJobs(tessera, 23 * DAY_MS + HOUR_MS)
  await runJobs(tessera, 7 * DAY_MS)
  await runJobs(tessera, HOUR_MS)
  await runJobs(tessera, 2 * HOUR_MS)
}

/** Tables with a row that has one of these texts in it. */
async function traces({ database: { db, location } }: Tessera, texts: string[]) {
  const names =
    location.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  const found: string[] = []
  for (const { name } of (await names.execute(db)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    const content = JSON.stringify(rows)
    for (const text of texts) if (content.includes(text)) found.push(`${name}: ${text}`)
  }
  return found
}

describe.each(oneEngineInCi)('deleting an account on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  test('is due in 30 days, is mailed at once, and codes work until then', async () => {
    const owner = await newPerson(tessera, 'starter')
    const code = await owner.code()
    expect((await user(owner)).deletionAt).toBeNull()
    const { deletionAt } = await ask(owner)
    const left = Date.parse(deletionAt) - tessera.clock.now().getTime()
    expect(Math.round(left / HOUR_MS)).toBe(30 * 24)
    expect((await user(owner)).deletionAt).toBe(deletionAt)
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
    const subject = `Your Tessera account will be deleted on ${day.format(new Date(deletionAt))}`
    expect(await mailTo(tessera, owner.email, subject)).toContain('Keep my account')
    await runJobs(tessera, 29 * DAY_MS)
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    expect(await owner.ask('/api/qr-codes')).toHaveLength(1)
    await keep(owner)
  })

  test('asked twice, the first day counts and one mail is sent', async () => {
    const owner = await newPerson(tessera)
    const first = await ask(owner)
    tessera.clock.advance(DAY_MS)
    expect(await ask(owner)).toEqual(first)
    await runJobs(tessera, HOUR_MS)
    expect(await mailsTo(tessera, owner.email)).toHaveLength(1)
    await keep(owner)
  })

  test('cannot be cancelled once the purge has begun', async () => {
    const owner = await newPerson(tessera)
    const { deletionAt } = await ask(owner)
    const begun = { purge_began_at: tessera.clock.now().getTime() }
    const { db } = tessera.database
    await db.updateTable('deletions').set(begun).where('user_id', '=', owner.id).execute()
    await keep(owner)
    expect((await user(owner)).deletionAt).toBe(deletionAt)
  })

  test('can be cancelled: signing in works, and nothing is missing', async () => {
    const owner = await newPerson(tessera, 'professional')
    const code = await owner.code({ vanityUrl: `kept-${engine}` })
    const { deletionAt } = await ask(owner)
    await runJobs(tessera, 24 * DAY_MS)
    expect(await (await owner.elsewhere().signIn()).json()).toMatchObject({ user: { deletionAt } })
    expect((await keep(owner)).status).toBe(204)
    expect((await user(owner)).deletionAt).toBeNull()
    await mailTo(tessera, owner.email, 'We’re keeping your Tessera account')
    await passAll(tessera)
    expect(await owner.ask('/api/qr-codes')).toMatchObject([{ id: code.id }])
    expect(await leadsTo(tessera, `kept-${engine}`)).toBe(code.url)
    expect((await keep(owner)).status).toBe(204)
  })

  test('is mailed again seven days before, and not purged sooner after a late reminder', async () => {
    const owner = await newPerson(tessera)
    await ask(owner)
    await runJobs(tessera, 22 * DAY_MS)
    expect(await mailsTo(tessera, owner.email)).toHaveLength(1)
    await runJobs(tessera, 40 * DAY_MS)
    expect(await mailsTo(tessera, owner.email)).toHaveLength(2)
    await runJobs(tessera, 6 * DAY_MS)
    expect(await owner.isSignedIn()).toBe(true)
    await runJobs(tessera, DAY_MS + HOUR_MS)
    expect(await owner.isSignedIn()).toBe(false)
    expect(await mailsTo(tessera, owner.email)).toHaveLength(2)
  })

  test('leaves no trace but reserved names, and an audit without a person', async () => {
    const { person: owner } = await newBuyerWithPlan()
    const code = await owner.code({ name: 'A name to forget', vanityUrl: `gone-${engine}` })
    await owner.change(code.id, { vanityUrl: `former-${engine}` })
    const binned = await owner.code()
    await owner.remove(binned.id)
    const draft = await owner.draft()
    await owner.change(code.id, { tags: ['A name to forget'] })
    await owner.make('/api/looks', { name: 'A name to forget', look: {} })
    const print = { found: 'link', path: code.shortCode }
    await owner.make(`/api/qr-codes/${code.id}/print-proofs`, print)
    const { db, location } = tessera.database
    const now = tessera.clock.now()
    await recordPast(location, [{ code_id: code.id, at: now.getTime() }])
    await owner.elsewhere().signIn('not the password')
    await recordEvent(db, { userId: owner.id, actor: 'user', event: 'name-changed' }, now)
    const shown = { shownName: 'A name to forget', shownContact: 'A name to forget' }
    await owner.amend('/api/workspace', shown)
    const mails = { every: 'weekly', timeZone: 'UTC' }
    await owner.ask('/api/analytics/mails', { method: 'PUT', body: mails })
    const robot = { name: 'A name to forget', scope: 'write' as const, days: null }
    await transact(db, (tx) =>
      addKey(tx, { personId: owner.id, workspaceId: owner.workspaceId }, robot, now),
    )
    const headers = { 'idempotency-key': 'A name to forget' }
    const body = { name: 'Menu', url: 'https://example.com' }
    await owner.ask('/api/qr-codes', { method: 'POST', body, headers })
    const neighbour = await newPerson(tessera, 'starter')
    const theirs = await neighbour.code()
    await ask(owner)
    expect((await bytesOf(tessera)).includes(owner.email)).toBe(engine === 'sqlite')
    await passAll(tessera)

    const forgotten = [owner.id, owner.workspaceId, owner.email, 'A name to forget']
    expect(await traces(tessera, forgotten)).toEqual([])
    expect((await bytesOf(tessera)).includes(owner.email)).toBe(false)
    // The audit still names what was done to a code that is gone, and late scans are known by its id.
    const codesLeft = async () => {
      const found = await traces(tessera, [code.id, binned.id])
      return found.filter((trace) => !/^(audit_entries|forgotten_codes)/.test(trace))
    }
    // Scans are deleted in short steps, and a busy machine needs more turns of the job.
    await eventually(async () => {
      await runJobs(tessera, 60_000)
      return (await codesLeft()).length === 0
    })
    expect(await owner.isSignedIn()).toBe(false)
    const names = [code.shortCode, `gone-${engine}`, `former-${engine}`, binned.shortCode]
    for (const name of names) expect(await leadsTo(tessera, name)).toBe(404)
    const kept = await db
      .selectFrom('paths')
      .select(['key', 'kind'])
      .where('key', 'in', [...names, draft.shortCode])
      .execute()
    const kinds = kept.map(({ key, kind }) => [key, kind])
    const wanted = Object.fromEntries(names.map((key) => [key, 'reserved']))
    expect(Object.fromEntries(kinds)).toEqual(wanted)
    expect(await leadsTo(tessera, theirs.shortCode)).toBe(theirs.url)
    const audit = db.selectFrom('audit_entries').select('user_id')
    const purged = audit.where('event', '=', 'account-purged').distinct()
    const events = await audit.select('event').where('user_id', 'in', purged).execute()
    expect(events.map(({ event }) => event)).toContain('name-changed')
    // The address is free for a new account.
    const newcomer = { email: owner.email, password: PASSWORD, name: 'Ada' }
    expect((await owner.elsewhere().post('/api/auth/sign-up/email', newcomer)).status).toBe(200)
  })

  /** The bytes of SQLite's file and of its log */
  async function bytesOf({ database: { location } }: Tessera): Promise<Buffer> {
    if (location.engine !== 'sqlite') return Buffer.alloc(0)
    const files = [location.file, `${location.file}-wal`]
    return Buffer.concat(await Promise.all(files.map((file) => readFile(file))))
  }

  async function newBuyerWithPlan() {
    const buyer = await newBuyer(tessera)
    await buyer.buy('professional', 'annual')
    return buyer
  }

  test('lets the plan end with what is paid', async () => {
    const buyer = await newBuyerWithPlan()
    await ask(buyer.person)
    expect(await buyer.subscription()).toMatchObject({ tier: 'professional', status: 'canceling' })
    await keep(buyer.person)
    // The plan is not charged again by itself: the owner must resume it.
    expect(await buyer.subscription()).toMatchObject({ status: 'canceling' })
  })

  test('takes no payment, and no renewal, before the account is kept', async () => {
    const buyer = await newBuyerWithPlan()
    await ask(buyer.person)
    const body = { tier: 'unlimited', billing: 'annual' }
    for (const path of ['/api/create-checkout-session', '/api/user/subscription/resume']) {
      expect(await refusal(await buyer.person.post(path, body))).toMatchObject({
        status: 409,
        code: 'account_leaving',
        message: expect.stringContaining('“Restore account”'),
      })
    }
    await keep(buyer.person)
    expect(await buyer.choose('unlimited', 'annual')).toContain('/checkout/')
  })
})

describe.each(oneEngineInCi)('deleting an account that pays by Stripe on %s', (engine) => {
  const shop = runShop({ engine, bounds: { retries: 0 } })

  test('the plan stops renewing at once, and ends with the customer at the purge', async () => {
    const { person, subscription } = await subscriber(shop)
    const { customer } = person
    await ask(person)
    expect(subscription.cancel_at_period_end).toBe(true)
    expect(subscription.status).toBe('active')
    await passAll(shop.tessera)
    expect(shop.books.customers.get(customer)?.deleted).toBe(true)
    expect(subscription.status).toBe('canceled')
    expect(await traces(shop.tessera, [person.id, person.workspaceId, person.email])).toEqual([])
    expect(shop.stripe.mistakes()).toEqual([])
  })

  test('a plan that the provider refuses to stop delays no other', async () => {
    const [odd, other] = [await subscriber(shop), await subscriber(shop)]
    shop.stripe.upsets.add(/subscriptions|checkout/, DOWN)
    for (const { person } of [odd, other]) await ask(person)
    shop.stripe.upsets.clear()
    shop.stripe.upsets.add(new RegExp(odd.subscription.id), DOWN)
    await runJobs(shop.tessera, HOUR_MS)
    expect(odd.subscription.cancel_at_period_end).toBe(false)
    expect(other.subscription.cancel_at_period_end).toBe(true)
    shop.stripe.upsets.clear()
    for (const { person } of [odd, other]) await keep(person)
  })

  test('a provider that is down is asked again later, and delays only the purge', async () => {
    const { person, subscription } = await subscriber(shop)
    const { customer } = person
    const code = await person.code()
    shop.stripe.upsets.add(/subscriptions|checkout/, DOWN)
    expect((await person.post(DELETION)).status).toBe(202)
    expect(subscription.cancel_at_period_end).toBe(false)
    shop.stripe.upsets.clear()
    await runJobs(shop.tessera, HOUR_MS)
    expect(subscription.cancel_at_period_end).toBe(true)

    await runJobs(shop.tessera, 23 * DAY_MS)
    shop.stripe.upsets.add(/customers/, DOWN)
    await runJobs(shop.tessera, 7 * DAY_MS)
    // The person is gone already; the codes and the customer are not.
    expect(await person.isSignedIn()).toBe(false)
    expect(await leadsTo(shop.tessera, code.shortCode)).toBe(code.url)
    shop.stripe.upsets.clear()
    await runJobs(shop.tessera, HOUR_MS)
    expect(await leadsTo(shop.tessera, code.shortCode)).toBe(404)
    expect(shop.books.customers.get(customer)?.deleted).toBe(true)
    await runJobs(shop.tessera, 2 * HOUR_MS)
    expect(await traces(shop.tessera, [person.id, person.workspaceId, person.email])).toEqual([])
  })
})

describe.each(engines)('a purge on %s that is cut off', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  /** The database; once it is armed, its nth statement fails. */
  function failingDatabase() {
    let left = Number.POSITIVE_INFINITY
    const db = tessera.database.db.withPlugin({
      transformQuery: ({ node }) => {
        if (--left === 0) throw new Error('cut off')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const arm = (nth: number) => {
      left = nth
    }
    return { db, arm, hasFailed: () => left <= 0 }
  }

  /** Runs the job with an nth statement that fails. Returns false if there are fewer. */
  async function roundCutAt(nth: number): Promise<boolean> {
    const { clock, config, database } = tessera
    const { publicUrl } = config
    const { db, arm, hasFailed } = failingDatabase()
    const log = pino({ level: 'silent' })
    const job = deleteAccounts({
      db,
      database: {},
      clock: clock.now,
      log,
      publicUrl,
      stopRenewal: async () => {},
      mailer: { queue: async () => true, soon: () => {}, hasServer: false },
      endPlan: (id) => endOfAccount({ db, log, payments: undefined }).endPlan(id),
      purgeCodes: async (id) => {
        const forget = forgetCodes({ forget: forgetScans })
        await purgeCodes({ db, forgetScans: forget, onCodeChanged: tessera.app.announce }, id)
        await forgetAccount({ ...database, db }, id)
      },
    })
    arm(nth)
    await job.run().catch(() => {})
    return hasFailed()
  }

  test('goes on at the next round, wherever it was', async () => {
    const { db } = tessera.database
    let hasFailed = true
    for (let nth = 1; hasFailed; nth += times(25, 1)) {
      const owner = await newPerson(tessera, 'starter')
      const code = await owner.code()
      await owner.make(`/api/analytics/shares?qr=${code.id}`, {})
      await owner.draft()
      const workspace_id = owner.workspaceId
      const data = Buffer.from(workspace_id)
      const pack = { workspace_id, day: 20_000, part: workspace_id, version: 0, rows: 0, data }
      await db.insertInto('scan_packs').values(pack).execute()
      const codes = [0, 1, 2, 3].map((begun) => ({
        code_id: `${nth} ${begun}`,
        workspace_id,
        begun,
      }))
      await db.insertInto('forgotten_codes').values(codes).execute()
      const at = tessera.clock.now().getTime()
      const deletion = {
        id: owner.id,
        user_id: owner.id,
        due_at: at - DAY_MS,
        plan_stopped_at: at - 30 * DAY_MS,
        warned_at: at - 8 * DAY_MS,
        purge_began_at: at - DAY_MS,
        pseudonym: `purged-${nth}` as PersonId,
      }
      await db.insertInto('deletions').values(deletion).execute()
      hasFailed = await roundCutAt(nth)
      expect(await roundCutAt(Number.POSITIVE_INFINITY)).toBe(false)
      expect([nth, await traces(tessera, [owner.id, owner.workspaceId, owner.email])]).toEqual([
        nth,
        [],
      ])
      expect(await leadsTo(tessera, code.shortCode)).toBe(404)
      const purged = await eventsOf(tessera, deletion.pseudonym)
      expect(purged.filter((event) => event === 'account-purged')).toHaveLength(1)
      if (!hasFailed) expect(nth).toBeGreaterThan(20)
    }
  })
})
