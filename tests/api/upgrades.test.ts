import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { describe, expect, test } from 'vitest'
import type { BinnedCode, QrCode } from '../../src/contract/codes/codes.ts'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { deriveKey } from '../../src/server/accounts/passwords/passwords.ts'
import { appCode } from '../support/authenticator-app.ts'
import { engines } from '../support/engines.ts'
import { forBlock } from '../support/for-block.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { cookieOf, Person } from '../support/person.ts'
import { startAt } from '../support/tessera.ts'
import { deviceWith, earlierPlace, earlierVersions, factsOf } from '../support/upgrade-fixture.ts'

const versions = engines.flatMap((engine) =>
  earlierVersions.map((version) => [version, engine] as const),
)

describe.each(versions)('a database of version %s on %s', (version, engine) => {
  const facts = factsOf(version, engine)
  const service = forBlock(async () => {
    const place = await earlierPlace(version, engine)
    // As the versions hashed these passwords
    const derive = async (password: string, salt: Uint8Array) => deriveKey(password, salt)
    const own = await startAt(place, { derive })
    own.clock.set(facts.madeAt)
    own.clock.advance(MINUTE_MS)
    const stop = () => own.stop().then(place.remove)
    return { ...own, stop }
  })

  function browser({ email, cookie = '' }: { email: string; cookie?: string }): Person {
    const person = new Person(service, email)
    person.cookie = cookie
    return person
  }
  const userOf = (person: Person) => person.ask<{ email: string }>('/api/auth/user')

  test('people stay signed in and sign in with their password', async () => {
    const { owner, free, password } = facts
    for (const account of [owner, free]) {
      expect(await userOf(browser(account))).toMatchObject({ email: account.email })
      const other = browser({ email: account.email })
      expect((await other.signIn(password)).status).toBe(200)
      expect(await userOf(other)).toMatchObject({ email: account.email })
    }
    expect(await userOf(browser(owner))).toMatchObject(owner.user)
  })

  test('codes, bin and plan are as they were, and every printed link leads where it did', async () => {
    const { owner, free, links } = facts
    for (const account of [owner, free]) {
      const codes = await browser(account).ask<QrCode[]>('/api/qr-codes')
      expect(codes).toHaveLength(account.codes.length)
      for (const code of account.codes) {
        const { pictureVersion, legibility, ...known } = code
        expect(codes).toContainEqual(expect.objectContaining(known))
      }
    }
    const bin = await browser(owner).ask<BinnedCode[]>('/api/qr-codes/bin')
    expect(bin.map(({ id }) => id)).toEqual(owner.bin.map(({ id }) => id))
    const subscription = await browser(owner).ask('/api/user/subscription')
    expect(subscription).toMatchObject(owner.subscription)
    for (const [path, target] of Object.entries(links)) {
      expect([path, await leadsTo(service, path)]).toEqual([path, target])
    }
  })

  test('each person has one workspace, with all that was theirs', async () => {
    const { db } = service.database
    const people = await db.selectFrom('users').select('id').execute()
    const workspaces = await db.selectFrom('workspaces').selectAll().execute()
    const own = people.map(({ id }) => ({ id, owner_id: id, is_own: 1, role: 'owner' }))
    const members = await db.selectFrom('members').selectAll().execute()
    const roles = new Map(members.map(({ workspace_id, role }) => [`${workspace_id}`, role]))
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
    expect(
      workspaces
        .map(({ id, owner_id, is_own }) => ({ id, owner_id, is_own, role: roles.get(id) }))
        .sort(byId),
    ).toEqual(own.sort(byId))
    expect(members.length).toBe(people.length)
    const codes = await db.selectFrom('codes').select('workspace_id').distinct().execute()
    const known = new Set(workspaces.map(({ id }) => id))
    expect(codes.filter(({ workspace_id }) => !known.has(workspace_id))).toEqual([])
  })

  test('every scan is counted once, those too that were not yet in the database', async () => {
    const { owner, free, waitingScans } = facts
    // The test before opened the links too, as a program: programs are not in the totals.
    const total = owner.scans.user.totalScans + waitingScans
    const scansOf = (account: typeof free) =>
      browser(account).ask<{ totalScans: number }>('/api/analytics/user')
    await eventually(async () => (await scansOf(owner)).totalScans >= total)
    expect((await scansOf(owner)).totalScans).toBe(total)
    expect((await scansOf(free)).totalScans).toBe(free.scans.user.totalScans)
    for (const [id, { totalScans }] of Object.entries(owner.scans.codes)) {
      const waiting = id === owner.plain ? waitingScans : 0
      const found = await browser(owner).ask(`/api/analytics/qr-code/${id}`)
      expect(found).toMatchObject({ totalScans: totalScans + waiting })
    }
  })

  const { secondSteps } = facts
  if (secondSteps === undefined) return

  test('an account with a second step signs in with its app, and with a recovery code', async () => {
    const { careful } = secondSteps
    expect(await userOf(browser(careful))).toMatchObject({ email: careful.email })
    for (const code of [appCode(careful.secret, service.clock.now()), careful.recoveryCode]) {
      const person = browser({ email: careful.email })
      const first = await person.signIn(facts.password)
      expect(await first.json()).toEqual({ next: 'second-factor' })
      const second = await person.post('/api/auth/sign-in/second-factor', { code })
      expect(second.status).toBe(200)
    }
  })

  test('a passkey signs in', async () => {
    const { keyed } = secondSteps
    const person = browser({ email: keyed.email })
    const asked = await person.post('/api/auth/passkey/options')
    person.cookie = cookieOf(asked)
    const options = (await asked.json()) as PublicKeyCredentialRequestOptionsJSON
    const response = deviceWith(keyed.passkey).get(options, { origin: service.config.publicUrl })
    const answer = await person.post('/api/auth/sign-in/passkey', { response })
    expect(await answer.json()).toMatchObject({ user: { email: keyed.email } })
  })

  test('a mailed link that was not used yet works', async () => {
    const { mailed } = secondSteps
    const password = 'a new one: battery, staple'
    const reset = { token: mailed.resetToken, password }
    expect((await browser(mailed).post('/api/auth/reset-password', reset)).status).toBe(204)
    expect((await browser({ email: mailed.email }).signIn(password)).status).toBe(200)
    expect((await browser(mailed).call('/api/auth/user')).status).toBe(401)
  })
})
