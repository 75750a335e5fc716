import { randomUUID } from 'node:crypto'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SessionEntry } from '../../src/contract/accounts/account-settings.ts'
import {
  mayCall,
  type Role,
  rightOf,
  rightsByPath,
  roles,
  type WorkspaceRoute,
} from '../../src/contract/accounts/roles.ts'
import type { Share, ShareList } from '../../src/contract/analytics/shares.ts'
import type { ApiKeyEntry } from '../../src/contract/integrations/api-keys.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { makeToken } from '../../src/server/accounts/proof/mailed-links.ts'
import { saveUserPicture } from '../../src/server/accounts/users-store.ts'
import { logoRow } from '../../src/server/codes/styles/logos.ts'
import type { Tables } from '../../src/server/database/schema.ts'
import { Buyer, idOf } from '../support/buyer.ts'
import { connectApp } from '../support/connecting-app.ts'
import { BEHIND_PROXY, fromSomewhere, someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { sendFile } from '../support/import-file.ts'
import { jobsAfter } from '../support/jobs.ts'
import { cookieOf, newMember, newPerson, Person, prove, subscribe } from '../support/person.ts'
import { makeKey, newProgram, Program } from '../support/program.ts'
import { answer, type Rule, routeRules, type Thing } from '../support/route-rules.ts'
import { addRows } from '../support/rows.ts'
import { inTurn, isSoak, someOf } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

/** A server with every part switched on, so that it has every route. */
const EVERYTHING = {
  ...BEHIND_PROXY,
  BILLING: 'sandbox',
  DEMO: 'on',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'tessera',
  OIDC_CLIENT_SECRET: 'secret',
}

const LEAVING = 'account that is being deleted'
/** Each route, with which keys it takes. */
const registered = new Map<string, RouteOptions>()
const UNAUTHORIZED = '{"message":"Unauthorized","code":"unauthorized"}'
/** A picture of one pixel, as a logo's row has it */
const PIXEL = { width: 1, height: 1, reach: 1, data: new Uint8Array(4) }

function withOpen() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe.each(oneEngineInCi)('every route on %s', (engine) => {
  const tessera = runTessera({
    engine,
    environment: EVERYTHING,
    onRoute: (route) => {
      for (const each of [route.method].flat()) registered.set(`${each} ${route.url}`, route)
      const { preHandler } = route
      route.preParsing = async (request) => pass(request, 'body')
      route.preHandler = [preHandler ?? []].flat().concat(async (request) => pass(request, 'lock'))
    },
  })
  /** The calls that wait where their header says, until `open`. */
  const waiting = { calls: 0, ...withOpen() }
  async function pass({ headers }: FastifyRequest, place: string) {
    if (headers['x-wait-for'] !== place) return
    waiting.calls++
    await waiting.opened
  }
  /** Owns one of each thing, which no other account may see or change. */
  let stranger: Person
  const foreign = new Map<Thing, string>()
  const outsiders: Record<string, Person> = {}
  /** Looks at the live demo, whose account and codes no visitor may change. */
  let onlooker: Person

  beforeAll(async () => {
    outsiders.anonymous = new Person(tessera, '')
    outsiders['ended session'] = await newPerson(tessera)
    await outsiders['ended session'].ask('/api/auth/sign-out', { method: 'POST' })
    const deleted = await newPerson(tessera)
    outsiders['deleted account'] = deleted
    await deleted.make('/api/account/deletion', {})
    // The purge comes a week after its reminder.
    for (const days of [24, 8, 1]) {
      await jobsAfter(tessera, days * DAY_MS)
    }
    expect((await deleted.call('/api/auth/user')).status).toBe(401)
    stranger = await newPerson(tessera)
    onlooker = new Person(tessera, '')
    onlooker.cookie = cookieOf(await onlooker.call('/api/demo', { method: 'POST' }))
    for (const thing of Object.keys(makers) as Thing[]) {
      foreign.set(thing, await makers[thing](await strangerFor(thing)))
    }
    strangersBefore = await strangersThings()
    demosBefore = await demosThings()
  })

  /** A payment, a change and a portal are of accounts of their own. */
  const strangerFor = (thing: Thing) =>
    thing.endsWith('page') ? newPerson(tessera) : Promise.resolve(stranger)

  /** Writes a row with an id of its own, which it returns. */
  async function add(table: keyof Tables, row: object): Promise<string> {
    const id = randomUUID()
    const values = { id, ...row } as never
    await addRows(tessera.database.db, table as 'passkeys', values)
    return id
  }
  const now = () => tessera.clock.now().getTime()

  const webhookOf = ({ workspaceId: workspace_id }: Person) => {
    const counters = { secret_no: 1, made_at: now(), fails: 0, scans_from: '' }
    const asked = { url: 'https://example.com/hook', types: 'code.created' }
    return add('webhook_endpoints', { workspace_id, ...asked, ...counters })
  }

  async function deliveryOf(person: Person) {
    const { db } = tessera.database
    const [endpoint_id, at] = [await webhookOf(person), now()]
    const of = { id: randomUUID(), workspace_id: person.workspaceId }
    const event = { ...of, type: 'webhook.test', at, payload: '{}' }
    const added = db.insertInto('webhook_events').values(event).returning('seq')
    const { seq: event_seq } = await added.executeTakeFirstOrThrow()
    const delivery = { endpoint_id, event_seq, line: 'test', attempts: 1, next_at: at }
    const inserted = db.insertInto('webhook_deliveries').values({ ...delivery, state: 'delivered' })
    return `${(await inserted.returning('seq').executeTakeFirstOrThrow()).seq}`
  }

  const madeBy = async (person: Person, path: string, body: object) =>
    (await person.make<{ id: string }>(path, body)).id

  const makers: Record<Thing, (person: Person) => Promise<string>> = {
    code: async (person) => (await person.code()).id,
    'binned code': async (person) => {
      const { id } = await person.code()
      await person.remove(id)
      return id
    },
    look: (person) => madeBy(person, '/api/looks', { name: 'House', look: {} }),
    tag: (person) => madeBy(person, '/api/tags', { name: 'Spring' }),
    logo: ({ workspaceId }) => {
      const { id: _, ...row } = logoRow(workspaceId, 'Logo', PIXEL, new Date(1))
      return add('logos', row)
    },
    session: async (person) => {
      const [body, headers] = [{ email: person.email, password: PASSWORD }, fromSomewhere()]
      const call = { method: 'POST', body, headers }
      await new Person(tessera, '').call('/api/auth/sign-in/email', call)
      const sessions = await person.ask<SessionEntry[]>('/api/account/sessions')
      return sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    },
    passkey: ({ id: user_id }) => {
      const key = { credential_id: randomUUID(), public_key: 'eA', counter: 0, transports: '[]' }
      return add('passkeys', { user_id, ...key, name: 'Key', added_at: 1 })
    },
    'API key': ({ id: made_by, workspaceId: workspace_id }) => {
      const key = { name: 'Robot', scope: 'write', start: 'tsk_', hash: randomUUID() }
      return add('api_keys', {
        workspace_id,
        made_by,
        ...key,
        made_at: 1,
        ends_at: null,
        used_at: null,
      })
    },
    app: ({ id: made_by, workspaceId: workspace_id }) => {
      const app = { name: 'Agent', host: 'example.com', scope: 'write' }
      return add('connected_apps', { workspace_id, made_by, ...app, made_at: 1, used_at: null })
    },
    picture: async (person) => {
      await saveUserPicture(tessera.database.db, person.id, Buffer.from('a picture'))
      const { pictureUrl } = await person.ask<{ pictureUrl: string }>('/api/account')
      return new URL(pictureUrl, tessera.origin).searchParams.get('v') ?? ''
    },
    share: async (person) => {
      const of = { workspace_id: person.workspaceId, code_id: (await person.code()).id }
      const times = { made_at: now(), ends_at: now() + DAY_MS, opened_at: null }
      return add('shares', { ...of, ...times, hash: randomUUID(), note: '' })
    },
    // One of whose rows is wrong
    import: async (person) =>
      (await sendFile(person, 'Name,Destination\nMenu,none', { headers: fromSomewhere() })).id,
    webhook: webhookOf,
    domain: ({ workspaceId: workspace_id }) => {
      const claim = { host: `${randomUUID()}.example`, secret: randomUUID(), is_default: 0 }
      return add('domains', { workspace_id, ...claim, added_at: now(), check_at: now() })
    },
    delivery: deliveryOf,
    invitation: ({ id: invited_by, workspaceId: workspace_id }) => {
      const invited = { email: `${randomUUID()}@example.com`, role: 'viewer', hash: randomUUID() }
      return add('invitations', {
        workspace_id,
        ...invited,
        invited_by,
        is_shown: 0,
        made_at: now(),
        ends_at: now() + DAY_MS,
      })
    },
    'payment page': async (person) => idOf(await new Buyer(person).choose('starter', 'monthly')),
  }

  /** The accounts that call each route, by what becomes of them once they have a thing of their own. */
  const insiders: Record<string, (person: Person) => Promise<unknown>> = {
    owner: prove,
    'other account': async () => {},
    'lapsed plan': (person) => subscribe(person, 'professional', 'canceled'),
    [LEAVING]: (person) => person.make('/api/account/deletion', {}),
  }

  /** Everything of the stranger's that a call could change. */
  async function strangersThings() {
    const { db } = tessera.database
    const tables = [
      ...(['codes', 'sessions', 'passkeys', 'user_pictures', 'sandbox_sessions'] as const),
      ...(['shares', 'looks', 'logos', 'print_proofs'] as const),
      ...([
        'tags',
        'api_keys',
        'connected_apps',
        'webhook_endpoints',
        'imports',
        'domains',
      ] as const),
    ]
    const ids = [...foreign.values()]
    return Promise.all(
      tables.map((table) => {
        const key = { user_pictures: 'version', print_proofs: 'code_id' }[String(table)] ?? 'id'
        const rows = sql.table(table)
        return sql`select * from ${rows} where ${sql.ref(key)} in (${sql.join(ids)}) order by 1`.execute(
          db,
        )
      }),
    ).then((answers) => answers.map(({ rows }) => rows))
  }

  /** The state that the last test left, so that each test reads it once. */
  let strangersBefore: unknown
  let demosBefore: unknown

  async function expectNothingChanged() {
    const before = strangersBefore
    strangersBefore = await strangersThings()
    expect(strangersBefore).toEqual(before)
  }

  async function expectDemoUnchanged() {
    const before = demosBefore
    demosBefore = await demosThings()
    expect(demosBefore).toEqual(before)
  }

  test('is in the table of who may ask it, and the table has no other', () => {
    const routes = [...registered.keys()]
    const heads = routes.filter((route) => route.startsWith('HEAD '))
    // Fastify answers HEAD wherever it answers GET, by the same handler.
    for (const route of heads) expect(routes).toContain(route.replace('HEAD', 'GET'))
    const others = routes.filter((route) => !route.startsWith('HEAD '))
    expect(others.sort()).toEqual(Object.keys(routeRules).sort())
    for (const [name, { key }] of Object.entries(routeRules)) {
      expect([name, registered.get(name)?.config?.key || undefined]).toEqual([name, key])
    }
    // A page, which asks for no right, and the calls of agents, which ask for the right of each tool.
    const page = 'GET /api/checkout/:id'
    const ofMembers = Object.entries(routeRules)
      .filter(([name, rule]) => ['accounts', 'owners'].includes(rule.for) && name !== page)
      .map(([name]) => name)
    const inTable = Object.entries(rightsByPath).flatMap(([path, rights]) =>
      Object.keys(rights).map((method) => `${method} ${path}`),
    )
    expect(inTable.sort()).toEqual([...ofMembers, 'POST /api/mcp'].sort())
  })

  /** Those who call the nth route: in CI an account and one outside, in turn. */
  const insidersOf = (nth: number) => inTurn(Object.entries(insiders), nth)
  const outsidersOf = (nth: number) => inTurn(Object.entries(outsiders), nth)

  const routes = Object.entries(routeRules).map(([name, rule], nth) => ({ name, rule, nth }))

  test.each(routes)('$name', async ({ name, rule, nth }) => {
    const thing = rule.for === 'owners' ? rule.of : undefined
    for (const [who, person] of outsidersOf(nth)) {
      for (const id of thing ? [foreign.get(thing) ?? '', randomUUID()] : ['']) {
        const [status, text] = await answer(person, name, rule, id)
        const [wanted, said] = outside(rule, name)
        expect([who, status, said === undefined || text]).toEqual([who, wanted, said ?? true])
      }
    }
    for (const [who, change] of insidersOf(nth)) {
      const person = await newPerson(tessera)
      const own = thing ? await makers[thing](person) : ''
      await change(person)
      if (!thing) {
        const [status, text] = await answer(person, name, rule)
        const leaving = who === LEAVING ? rule.leaving : undefined
        expect([who, status, text]).toEqual([who, leaving ?? inside(rule), text])
        continue
      }
      // First those that are refused: the own one may be gone after its call.
      const [theirs, none] = [
        await answer(person, name, rule, foreign.get(thing)),
        await answer(person, name, rule, randomUUID()),
      ]
      const code = rule.for === 'owners' ? rule.code : ''
      expect([who, ...none.slice(0, 2)]).toEqual([who, 404, expect.stringContaining(code)])
      expect([who, ...theirs]).toEqual([who, ...none])
      const [status, text] = await answer(person, name, rule, own)
      const isLeaving = who === LEAVING && rule.leaving
      expect([who, status, text]).toEqual([who, isLeaving || inside(rule), text])
    }
    // In CI after every tenth: what an earlier one changed is still seen then.
    if (isSoak || nth % 10 === 0) await expectNothingChanged()
  })

  /** Every row with the account's name on it. */
  async function rowsOf({ id, workspaceId }: Person) {
    const { db } = tessera.database
    const rows = []
    for (const { name, columns } of await db.introspection.getTables()) {
      const owner = columns.find((column) =>
        /^(user_?|workspace_|owner_)id$/i.test(column.name),
      )?.name
      const own = name === 'users' ? 'id' : owner
      if (own)
        rows.push(
          await sql`select * from ${sql.table(name)} where ${sql.ref(own)} in (${id}, ${workspaceId})`.execute(
            db,
          ),
        )
    }
    return rows.map(({ rows }) => rows.map((row) => JSON.stringify(row)).sort())
  }

  const changing = routes.filter(
    ({ name, rule }) => !name.startsWith('GET ') && ['accounts', 'owners'].includes(rule.for),
  )
  /** They answer, and change nothing of the account. */
  const harmless = /(options|labels|pictures|export\.csv|refresh|try)$/

  type End = { by: (person: Person) => Promise<Person>; end: (person: Person) => Promise<unknown> }
  const ends: Record<string, End> = {
    'the first proof of its address': {
      by: async (person) => person,
      end: async ({ id: userId, email }) => {
        const { database, clock } = tessera
        const token = await makeToken(database.db, 'sign-in', { userId, email }, clock.now())
        const used = await new Person(tessera, '').post('/api/auth/sign-in/link/use', { token })
        expect(used.status).toBe(200)
      },
    },
    'a sign-out everywhere': {
      by: async (person) => person,
      end: async (person) => {
        const other = person.elsewhere()
        await other.signIn(PASSWORD, someAddress())
        await other.ask('/api/account/sessions', { method: 'DELETE' })
      },
    },
    'the end of its key': {
      by: (person) => newProgram(person),
      end: async (person) => {
        for (const { id } of await person.ask<ApiKeyEntry[]>('/api/account/keys')) {
          await person.ask(`/api/account/keys/${id}`, { method: 'DELETE' })
        }
      },
    },
  }
  /** Ends for a member of another person's workspace, on routes that work there. */
  const memberEnds: Record<string, (owner: Person, member: Person) => Promise<unknown>> = {
    'its removal': (owner, member) =>
      owner.ask(`/api/workspace/members/${member.id}`, { method: 'DELETE' }),
    'a lower role': (owner, member) =>
      owner.amend(`/api/workspace/members/${member.id}`, { role: 'viewer' }),
  }
  const members = new Map<Person, Person>()
  for (const [how, end] of Object.entries(memberEnds)) {
    ends[how] = {
      by: async (owner) => {
        const member = await newMember(owner, 'admin')
        members.set(owner, member)
        return member
      },
      end: (owner) => end(owner, members.get(owner) as Person),
    }
  }
  const held = Object.keys(ends).flatMap((how) => ['body', 'lock'].map((place) => [place, how]))

  test.each(held)('a call that waits for its %s makes nothing after %s', async (place, how) => {
    const { by, end } = ends[how] as End
    const [owners, things] = [new Map<string, Person>(), new Map<Thing, string>()]
    const asked = []
    for (const { name, rule } of changing) {
      if (how.endsWith('key') && rule.key !== 'write') continue
      if (how in memberEnds && !['edit', 'manage'].includes(rightOf(name) ?? '')) continue
      const thing = rule.for === 'owners' ? rule.of : 'code'
      // Payments are of accounts of their own, and files wait for each other.
      const whose = rule.file ? name : thing.endsWith('page') ? thing : ''
      const owner = owners.get(whose) ?? (await newPerson(tessera))
      owners.set(whose, owner)
      const id = things.get(thing) ?? (await makers[thing](owner))
      things.set(thing, id)
      asked.push({ owner, name, rule, id })
    }
    const callers = new Map<Person, Person>()
    for (const [whose, owner] of owners) {
      if (!whose.endsWith('page')) await subscribe(owner, 'unlimited')
      callers.set(owner, await by(owner))
    }
    let answered = 0
    Object.assign(waiting, { calls: 0, ...withOpen() })
    onTestFinished(() => waiting.open())
    const calls = asked.map(({ owner, name, rule, id }) =>
      answer(callers.get(owner) ?? owner, name, rule, id, { 'x-wait-for': place }).finally(
        () => answered++,
      ),
    )
    await expect.poll(() => waiting.calls + answered).toBe(calls.length)
    const before = []
    for (const owner of owners.values()) {
      await end(owner)
      before.push(await rowsOf(owner))
    }
    waiting.open()
    const answers = await Promise.all(calls)
    const done = asked.flatMap(({ name }, nth) => {
      const status = Number(answers[nth]?.[0])
      const isRefused =
        place === 'body' ? [401, 403].includes(status) : status >= 400 || harmless.test(name)
      return isRefused ? [] : [`${name} ${status}`]
    })
    expect([answered, done]).toEqual([calls.length, []])
    expect(await Promise.all([...owners.values()].map(rowsOf))).toEqual(before)
  })

  // Agents come with a key.
  const ofWorkspaces = routes.filter(
    ({ name }) => name !== 'POST /api/mcp' && !['person', undefined].includes(rightOf(name)),
  )

  test.each(someOf(ofWorkspaces, 3))('$name asks for a role', async ({ name, rule, nth }) => {
    const owner = await newPerson(tessera)
    const isFree = (role: Role) => mayCall(role, name as WorkspaceRoute)
    // First those that are refused: the thing may be gone after a call.
    const refused = inTurn(
      roles.filter((role) => !isFree(role)),
      nth,
    )
    const taken = inTurn(
      roles.filter((role) => role !== 'owner' && isFree(role)),
      nth,
    ).slice(0, 1)
    const thing = rule.for === 'owners' ? rule.of : undefined
    const id = thing ? await makers[thing](owner) : ''
    await subscribe(owner, 'unlimited')
    for (const role of [...refused, ...taken]) {
      const [status, text] = await answer(await newMember(owner, role), name, rule, id)
      const isRefused = String(text).includes('"role_forbids"')
      expect([role, status, text, isRefused]).toEqual([role, status, text, !isFree(role)])
      expect([role, status]).not.toEqual([role, 500])
    }
    const former = await newMember(owner, 'admin')
    await owner.delete(`/api/workspace/members/${former.id}`)
    const [status, text] = await answer(former, name, rule, id)
    expect([status, String(text)]).toEqual([404, expect.stringContaining('workspace_not_found')])
  })

  test.each(someOf(Object.entries(routeRules), 3))(
    '%s for a visitor of the demo',
    async (name, rule) => {
      const isRead = name.startsWith('GET ')
      const thing = rule.for === 'owners' ? rule.of : undefined
      const own = thing === 'code' ? await demosCode() : randomUUID()
      const [status, text] = await answer(onlooker, name, rule, own)
      expect([status, text]).toEqual([ofOnlooker(rule, isRead), text])
      if (!isRead && rule.for !== 'everyone' && rule.for !== 'visitors and accounts') {
        expect(JSON.parse(String(text)).code).toBe('demo_read_only')
      }
      if (thing && isRead) {
        const [theirs, none] = [
          await answer(onlooker, name, rule, foreign.get(thing)),
          await answer(onlooker, name, rule, randomUUID()),
        ]
        expect(none[0]).toBe(404)
        expect(theirs).toEqual(none)
      }
      await expectNothingChanged()
      await expectDemoUnchanged()
    },
  )

  /** The refusal for each kind of key on routes that read, routes that write and routes without keys. */
  const programs: Record<string, { read: string; write: string; other: string }> = {
    'a key that reads': { read: '', write: 'key_read_only', other: 'key_not_here' },
    'a key that writes': { read: '', write: '', other: 'key_not_here' },
    'a paused key': { read: 'key_paused', write: 'key_paused', other: 'key_paused' },
    'a key of a lapsed plan': {
      read: 'api_not_in_plan',
      write: 'api_not_in_plan',
      other: 'key_not_here',
    },
    ...Object.fromEntries(
      ['a revoked key', 'an ended key', 'no key of ours'].map((which) => [
        which,
        { read: 'key_invalid', write: 'key_invalid', other: 'key_invalid' },
      ]),
    ),
  }

  /** The refusal of an app's token by the tools of agents. Elsewhere it is unknown. */
  const tokens: Record<string, string> = {
    'the token of an app': '',
    'the token of an app of a lapsed plan': 'api_not_in_plan',
    'the token of a disconnected app': 'key_invalid',
  }
  for (const which of Object.keys(tokens)) {
    programs[which] = { read: 'key_invalid', write: 'key_invalid', other: 'key_invalid' }
  }

  async function appWith(which: string): Promise<Program> {
    const owner = await newPerson(tessera, 'unlimited')
    const { given } = await connectApp(owner)
    if (which.includes('lapsed')) await subscribe(owner, 'unlimited', 'canceled')
    if (which.includes('disconnected')) {
      const apps = tessera.database.db.deleteFrom('connected_apps')
      await apps.where('workspace_id', '=', owner.workspaceId).execute()
    }
    return new Program(owner, given?.access_token ?? '')
  }

  async function programWith(which: string): Promise<Program> {
    if (which in tokens) return appWith(which)
    const owner = await newPerson(tessera, 'unlimited')
    const scope = which === 'a key that reads' ? 'read' : 'write'
    if (which === 'an ended key') {
      const program = await newProgram(owner, { scope, days: 1 })
      tessera.clock.advance(DAY_MS)
      return program
    }
    const { id, key } = await makeKey(owner, { scope })
    if (which === 'a paused key') {
      const own = tessera.database.db.updateTable('api_keys').where('id', '=', id)
      await own.set({ paused_at: tessera.clock.now().getTime() }).execute()
    }
    if (which === 'a key of a lapsed plan') await subscribe(owner, 'unlimited', 'canceled')
    if (which === 'a revoked key') await owner.ask(`/api/account/keys/${id}`, { method: 'DELETE' })
    return new Program(owner, which === 'no key of ours' ? 'tsk_x' : key)
  }

  test.each(Object.entries(programs))(
    'a program with %s gets what that key opens of its own account, and nothing else',
    async (which, said) => {
      const program = await programWith(which)
      // In CI a program that is refused everywhere calls a third of the routes.
      const isShut = said.read === said.other && !isSoak
      const share = Object.keys(programs).indexOf(which) % 3
      for (const { name: route, rule, nth } of routes) {
        const isOpen = rule.for === 'everyone' || rule.for === 'visitors and accounts'
        if ((isOpen || (isShut && nth % 3 !== share)) && route !== 'POST /api/mcp') continue
        // These tell a visitor from an account themselves, and know no key.
        if (route === 'GET /api/checkout/:id' || route === 'GET /api/auth/user') continue
        const id = rule.for === 'owners' ? foreign.get(rule.of) : ''
        const [status, text] = await answer(program, route, rule, id)
        const ofTools = route === 'POST /api/mcp' ? tokens[which] : undefined
        const wanted =
          ofTools ?? (said[rule.key ?? 'other'] || (rule.for === 'owners' ? rule.code : ''))
        const got = /"code":"(\w+)"/.exec(String(text))?.[1] ?? ''
        if (wanted) expect([route, got]).toEqual([route, wanted])
        else
          expect([route, Number(status) < 500, got.startsWith('key_')]).toEqual([
            route,
            true,
            false,
          ])
      }
      await expectNothingChanged()
    },
  )

  /** Visitors with a link see the shared code's name; those with a stopped one see nothing. */
  const links = {
    'a link': async (owner: Person) => owner,
    'a link that was stopped': async (owner: Person) => {
      const { shares } = await owner.ask<ShareList>(
        `/api/analytics/shares?qr=${await codeOf(owner)}`,
      )
      await owner.ask(`/api/analytics/shares/${shares[0]?.id}`, { method: 'DELETE' })
    },
    'a link that has ended': async ({ workspaceId: id }: Person) => {
      const own = tessera.database.db.updateTable('shares').where('workspace_id', '=', id)
      await own.set({ ends_at: tessera.clock.now().getTime() }).execute()
    },
    'a link that a restore paused': async ({ workspaceId: id }: Person) => {
      const own = tessera.database.db.updateTable('shares').where('workspace_id', '=', id)
      await own.set({ paused_at: tessera.clock.now().getTime() }).execute()
    },
    'a link of an account whose plan has lapsed': (owner: Person) =>
      subscribe(owner, 'starter', 'canceled'),
    'a link to a code in the bin': async (owner: Person) => {
      await owner.ask(`/api/qr-codes/${await codeOf(owner)}`, { method: 'DELETE' })
    },
  }
  const codeOf = async (owner: Person) =>
    (await owner.ask<{ id: string }[]>('/api/qr-codes'))[0]?.id

  test.each(Object.entries(links))(
    'a visitor who has %s reads that page or none, and nothing else',
    async (which, change) => {
      const owner = await newPerson(tessera, 'starter')
      const name = `Menu ${randomUUID()}`
      const { id } = await owner.code({ name })
      const path = `/api/analytics/shares?qr=${id}`
      const { link } = await owner.make<Share>(path, {})
      await change(owner)
      const token = new URL(link ?? '').pathname.split('/').at(-1) ?? ''
      const holder = new Person(tessera, '')
      // As what else could open an account.
      holder.cookie = `tessera.session_token=${token}; session=${token}`
      const headers = { ...fromSomewhere(), authorization: `Bearer ${token}` }
      for (const { name: route, rule, nth } of routes) {
        const [method = '', url = ''] = route.split(' ')
        if (!/^\/(api\/share|s)\//.test(url)) {
          // In CI a third of the other routes.
          if (which !== 'a link' || (nth % 3 > 0 && !isSoak)) continue
          const ids = rule.for === 'owners' ? [id, foreign.get(rule.of) ?? '', token] : ['']
          for (const each of ids) {
            const [status, text] = await answer(holder, route, rule, each)
            const [wanted, said] = outside(rule, route)
            expect([route, status, said === undefined || text]).toEqual([
              route,
              wanted,
              said ?? true,
            ])
          }
          continue
        }
        const query = url.endsWith('/breakdown') ? '?facet=country' : ''
        const response = await holder.call(url.replace(':token', token) + query, {
          method,
          headers,
        })
        const text = await response.text()
        expect([route, response.status]).toEqual([route, which === 'a link' ? 200 : 404])
        const isNamed = which === 'a link' && url.endsWith('/code')
        expect([route, text.includes(name)]).toEqual([route, isNamed])
      }
      await expectNothingChanged()
    },
  )

  const demosCode = async () => (await onlooker.ask<{ id: string }[]>('/api/qr-codes'))[0]?.id ?? ''

  const demosThings = async () => [
    await onlooker.ask('/api/auth/user'),
    await onlooker.ask('/api/account'),
    await onlooker.ask('/api/account/history'),
    await onlooker.ask('/api/account/sessions'),
    await onlooker.plan(),
    await onlooker.ask('/api/qr-codes'),
    await onlooker.ask('/api/qr-codes/bin'),
  ]

  /** Signing in and out is open to them as to any visitor; the rest they may only read. */
  function ofOnlooker(rule: Rule, isRead: boolean): number {
    if (rule.for === 'everyone') return rule.status
    if (rule.for === 'visitors and accounts') return rule.out
    if (!isRead) return 403
    return rule.for === 'owners' && rule.of !== 'code' ? 404 : inside(rule)
  }

  /** The status for a visitor who is not signed in and, for a refusal, its text. */
  function outside(rule: Rule, name: string): [number, string?] {
    if (rule.for === 'everyone') return [rule.status]
    if (rule.for === 'visitors and accounts') return [rule.out]
    // A page, unlike a call, leads to the sign-in.
    return name === 'GET /api/checkout/:id' ? [302] : [401, UNAUTHORIZED]
  }
  const inside = (rule: Rule) => (rule.for === 'visitors and accounts' ? rule.in : rule.status)
})
