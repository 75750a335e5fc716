import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/time.ts'
import { endedHere, endedPrograms } from '../../src/server/accounts/account-tables.ts'
import { addSignInMethod } from '../../src/server/accounts/users-store.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { ownWorkspaceOf } from '../../src/server/memberships.ts'
import { Browser } from '../support/browser.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { forBlock } from '../support/for-block.ts'
import { Mailed } from '../support/mailed.ts'
import { TestProvider } from '../support/oidc-provider.ts'
import type { Person } from '../support/person.ts'
import { addRows, rowsOf } from '../support/rows.ts'

/** Tables whose rows end too, under a condition or in the room that owns them. */
const endedOtherwise = [
  'accounts',
  'sessions',
  'deletions',
  'shares',
  'figure_mails',
  'webhook_endpoints',
  'webhook_events',
  'members',
  'invitations',
] as const

/** Tables whose rows stay, and why they open nothing. */
const staying = {
  workspaces: 'what the account owns; its texts for visitors are gone',
  codes: 'the owner sees and deletes them',
  logos: 'as codes',
  looks: 'as codes; none is the default any more',
  tags: 'as codes',
  domains: 'the letter names them; none is the default any more',
  code_usage: 'counts the codes',
  imports: 'files that only the account reads',
  scans: 'scans of the codes',
  scan_packs: 'as scans',
  forgotten_codes: 'ids of purged codes, whose scans are on their way out',
  idempotency_keys: 'answers to calls of keys that have ended',
  subscriptions: 'a plan that is paid',
  customers: 'as subscriptions',
  checkouts: 'as subscriptions',
  payment_records: 'as subscriptions',
  sandbox_customers: 'as subscriptions',
  audit_entries: 'what was done stays known',
  user_pictures: 'only the account shows it',
  notices: 'which notices the account got',
} as const

const ended = [...endedHere, ...endedPrograms, ...endedOtherwise]

describe.each(oneEngineInCi)('the first proof of an address on %s', (engine) => {
  let provider: TestProvider
  const here = forBlock(async () => {
    provider = await TestProvider.at()
    return Mailed.start(engine, provider.environment)
  })
  beforeAll(() => provider.start(here.tessera.origin))
  afterAll(() => provider.stop())

  const tables = () => here.tessera.database.db.introspection.getTables()
  const ownerColumn = (names: { name: string }[]) =>
    names.find(({ name }) => ['user_id', 'workspace_id', 'userId', 'owner_id'].includes(name))?.name

  test('has a decision about every table with rows of an account', async () => {
    const owned = (await tables()).filter(({ columns }) => ownerColumn(columns))
    const decided = [...ended, ...Object.keys(staying)]
    expect(owned.map(({ name }) => name).sort()).toEqual(decided.sort())
  })

  /** A row of the account in each table that ends and has none yet, with made-up values. */
  async function fill(person: Person) {
    const { db } = here.tessera.database
    const code = await person.code()
    for (const { name, columns } of await tables()) {
      const owner = ownerColumn(columns)
      if (!owner || !ended.some((table) => table === name)) continue
      if ((await countIn(name, owner, person)) > 0) continue
      const values = columns
        .filter((column) => !(column.isNullable || column.hasDefaultValue))
        .map((column) => [column.name, valueFor(column, person, code.id)])
      const row = { ...Object.fromEntries(values), ...rowsBy(owner, person) }
      await addRows(db, name as 'api_keys', row)
    }
  }

  function valueFor(
    { name, dataType }: { name: string; dataType: string },
    { id }: Person,
    codeId: string,
  ) {
    if (name === 'code_id') return codeId
    if (/int4|integer/i.test(dataType)) return 1
    if (/text|char/i.test(dataType)) return `${name} ${id}`
    if (/time|date/i.test(dataType)) return new Date(0).toISOString()
    return here.tessera.clock.now().getTime() + 30 * DAY_MS
  }

  const rowsBy = (column: string, { id, workspaceId }: Person) => ({
    [column]: column === 'workspace_id' ? workspaceId : id,
  })

  async function countIn(table: string, column: string, person: Person): Promise<number> {
    const { db } = here.tessera.database
    return (await rowsOf(db, table as 'api_keys', rowsBy(column, person))).length
  }

  const ways: [string, (email: string, id: PersonId) => Promise<Response>][] = [
    [
      'a mailed link that signs in',
      async (email) => {
        await here.post('/api/auth/sign-in/link', { email })
        const token = await here.mails.tokenTo(email, 'Your login link')
        return here.post('/api/auth/sign-in/link/use', { token })
      },
    ],
    [
      'a new password',
      async (email) => {
        await here.post('/api/auth/forgot-password', { email })
        const token = await here.mails.tokenTo(email, 'Choose a new password')
        return here.post('/api/auth/reset-password', { token, password: `${PASSWORD} again` })
      },
    ],
    [
      'a sign-in at the provider',
      async (email, id) => {
        const { origin, database, clock } = here.tessera
        const link = { providerId: new URL(provider.issuer).href, accountId: id }
        await transact(database.db, (tx) => addSignInMethod(tx, id, link, clock.now()))
        provider.person = { sub: id, email, email_verified: true }
        const browser = new Browser()
        await browser.open(`${origin}/api/auth/provider`)
        return browser.fetch(new URL('/api/auth/user', origin))
      },
    ],
  ]

  test.each(ways)('by %s ends what a stranger set up, and the letter says so', async (_, use) => {
    const stranger = await here.signUp()
    const { email } = stranger
    const { db } = here.tessera.database
    const { id } = await stranger.ask<{ id: PersonId }>('/api/auth/user')
    const workspaceId = await ownWorkspaceOf(db, id)
    Object.assign(stranger, { id, workspaceId })
    const helper = { workspace_id: workspaceId, person_id: 'a helper' as PersonId }
    await addRows(db, 'members', { ...helper, role: 'admin', since: 1 })
    await stranger.amend('/api/workspace', { shownContact: 'me@x.example' })
    await fill(stranger)
    const host = `${id}.example`
    const claim = { id, workspace_id: workspaceId, host, held: host, secret: '', is_default: 1 }
    await addRows(db, 'domains', { ...claim, added_at: 1, check_at: 1 })
    expect((await use(email, id)).status).toBeLessThan(300)
    for (const { name, columns } of await tables()) {
      const owner = ownerColumn(columns)
      if (!owner || !ended.some((table) => table === name)) continue
      const made = ['accounts', 'sessions', 'known_devices', 'members'].includes(name) ? 1 : 0
      expect(await countIn(name, owner, stranger), name).toBeLessThanOrEqual(made)
    }
    const letter = await here.mails.mailTo(email, 'Your address is confirmed')
    expect(letter.text).toContain(
      'API keys, connected apps, webhooks, share links, emailed reports, and a planned deletion of the account',
    )
    expect(letter.text).toContain(`these domains: ${host}.`)
    expect(await rowsOf(db, 'domains', { workspace_id: workspaceId })).toMatchObject([
      { is_default: 0 },
    ])
    expect(await rowsOf(db, 'workspaces', { id: workspaceId })).toMatchObject([
      { shown_contact: null },
    ])
    expect(await here.isSignedIn(stranger)).toBe(false)
  })
})
