import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  APPS_MAX,
  type ConnectedApp,
  type ConnectRequest,
} from '../../src/contract/integrations/connected-apps.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { settleRestored } from '../../src/server/backup/settle-restored.ts'
import { databaseLimits } from '../../src/server/http/limits/limits.ts'
import { Agent } from '../support/agent.ts'
import { ConnectingApp, ConsentingBrowser, connectApp } from '../support/connecting-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { mailTo } from '../support/mailbox.ts'
import { eventsOf, newPerson, type Person, prove, subscribe } from '../support/person.ts'
import { Program } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { runTessera } from '../support/tessera.ts'

const PING = {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream' },
  body: { jsonrpc: '2.0', id: 1, method: 'ping' },
}

describe.each(engines)('connected apps on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  let ada: Person
  beforeEach(async () => {
    ada = await newPerson(tessera, 'unlimited')
  })

  const appsOf = (person: Person) => person.ask<ConnectedApp[]>('/api/account/apps')
  const bearer = ({ given }: ConnectingApp) => new Program(ada, given?.access_token ?? '')
  const ping = (app: ConnectingApp) => bearer(app).call('/api/mcp', PING)

  test('an app is allowed, works with the account by its tools, and is refused at once when it is disconnected', async () => {
    await prove(ada)
    const app = await connectApp(ada, { name: 'Robot' })
    const agent = await Agent.of(bearer(app))
    const { id } = await agent.ask<{ id: string }>('make_code', { url: 'https://example.com/' })
    expect(await ada.ask(`/api/qr-codes/${id}`)).toMatchObject({ url: 'https://example.com/' })
    await expectRefusal(bearer(app).call('/api/qr-codes'), 'key_invalid')
    await expect.poll(async () => (await appsOf(ada))[0]?.lastUsedAt).toBeTruthy()
    const [entry] = await appsOf(ada)
    expect(entry).toMatchObject({ name: 'Robot', host: 'http://127.0.0.1:6274', scope: 'write' })
    expect(await mailTo(tessera, ada.email, 'An app was connected')).toContain('“Robot”')

    const eve = await newPerson(tessera, 'unlimited')
    const disconnect = (person: Person) =>
      person.call(`/api/account/apps/${entry?.id}`, { method: 'DELETE' })
    await expectRefusal(disconnect(eve), 'not_found')
    expect((await ping(app)).status).toBe(200)
    expect((await disconnect(ada)).status).toBe(204)
    await expectRefusal(ping(app), 'key_invalid')
    expect((await app.refresh()).status).toBe(400)
    const events = (await eventsOf(tessera, ada.id)).filter((each) => each.startsWith('app-'))
    expect(events).toEqual(['app-connected', 'app-disconnected'])
  })

  test('an app that may only read sees no tool that changes, and keeps to that with each new token', async () => {
    const app = await connectApp(ada, { scope: 'read' })
    await app.ask()
    const tools = await (await Agent.of(bearer(app))).tools()
    expect(tools).toContain('list_codes')
    expect(tools).not.toContain('make_code')
    const { clientMetadata } = app
    expect(app.given?.scope).toBe('read')
    expect(app.client).toMatchObject({ ...clientMetadata, token_endpoint_auth_method: 'none' })
  })

  test('says where to ask for access, and what is wrong with a token', async () => {
    const { publicUrl } = tessera.config
    const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/api/mcp"`
    const said = async (token: string) => {
      const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {})
      const response = await fetch(`${tessera.origin}/api/mcp`, { method: 'POST', headers })
      expect(response.status).toBe(401)
      return response.headers.get('www-authenticate')
    }
    expect(await said('')).toBe(`Bearer ${metadata}`)
    expect(await said('x'.repeat(43))).toBe(`Bearer error="invalid_token", ${metadata}`)
    const resource = await fetch(`${tessera.origin}/.well-known/oauth-protected-resource`)
    expect(await resource.json()).toMatchObject({
      resource: `${publicUrl}/api/mcp`,
      authorization_servers: [publicUrl],
    })
  })

  test('a refresh token that is used twice ends the app with all its tokens', async () => {
    const app = await connectApp(ada)
    const stolen = app.given?.refresh_token
    await app.ask()
    expect(app.given?.refresh_token).not.toBe(stolen)
    expect((await ping(app)).status).toBe(200)
    expect((await app.refresh(stolen)).status).toBe(400)
    await expectRefusal(ping(app), 'key_invalid')
    expect((await app.refresh()).status).toBe(400)
    expect(await appsOf(ada)).toEqual([])
  })

  test('of two uses of a refresh token at the same moment none leaves a token that works', async () => {
    const app = await connectApp(ada)
    const answers = await Promise.all([app.refresh(), app.refresh(), app.refresh()])
    const given = await Promise.all(answers.map((each) => each.json()))
    for (const { access_token } of given.filter((each) => each.access_token)) {
      await expectRefusal(new Program(ada, access_token).call('/api/mcp', PING), 'key_invalid')
    }
    expect(await appsOf(ada)).toEqual([])
  })

  test('an access token ends after an hour, and a new one comes for the refresh token', async () => {
    const app = await connectApp(ada)
    tessera.clock.advance(HOUR_MS)
    await expectRefusal(ping(app), 'key_invalid')
    await app.ask()
    expect((await ping(app)).status).toBe(200)
  })

  test('apps rest while the plan has lapsed, and end with a restore of a backup', async () => {
    const app = await connectApp(ada)
    await subscribe(ada, 'unlimited', 'canceled')
    await expectRefusal(ping(app), 'api_not_in_plan')
    await subscribe(ada, 'unlimited')
    expect((await ping(app)).status).toBe(200)
    expect((await settleRestored(tessera.database.db, tessera.clock.now())).apps).toBeGreaterThan(0)
    await expectRefusal(ping(app), 'key_invalid')
    expect((await app.refresh()).status).toBeGreaterThanOrEqual(400)
    await tessera.database.db.deleteFrom('service_marks').where('name', '=', 'held').execute()
  })

  test('an app that gives its token back is disconnected', async () => {
    const app = await connectApp(ada)
    const token = app.given?.refresh_token ?? ''
    expect((await app.send('revoke', { token })).status).toBe(200)
    await expectRefusal(ping(app), 'key_invalid')
    expect(await appsOf(ada)).toEqual([])
  })

  test('the database has no token that opens anything', async () => {
    const { given } = await connectApp(ada)
    const rows = await tessera.database.db.selectFrom('oauth_records').selectAll().execute()
    for (const token of [given?.access_token, given?.refresh_token]) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(JSON.stringify(rows)).not.toContain(token)
    }
  })

  describe('the consent', () => {
    async function asked(person = ada) {
      const app = new ConnectingApp(tessera)
      await app.ask()
      return { app, browser: await ConsentingBrowser.at(person, app.page) }
    }

    test('names the app and where the answer goes, and goes back without a code when the user declines', async () => {
      const { browser } = await asked()
      const path = `/api/connect/${browser.uid}/request`
      const response = await browser.fetch(new URL(path, tessera.origin))
      expect(await response.json()).toEqual({
        name: 'Robot',
        site: null,
        sendsTo: 'http://127.0.0.1:6274',
        scopes: ['read', 'write'],
      } satisfies ConnectRequest)
      const { searchParams } = await browser.leave(await browser.post('cancel'))
      expect(searchParams.get('error')).toBe('access_denied')
      expect(searchParams.has('code')).toBe(false)
      expect(await appsOf(ada)).toEqual([])
    })

    test('asks for the plan with the API and for proof that the owner acts', async () => {
      const grace = await newPerson(tessera, 'professional')
      const { browser } = await asked(grace)
      await expectRefusal(browser.post('allow', { scope: 'read' }), 'api_not_in_plan')
      await subscribe(grace, 'unlimited')
      await signedInAgo(grace, DAY_MS)
      await expectRefusal(browser.post('allow', { scope: 'read' }), 'sign_in_again')
      const wrong = { scope: 'read', password: 'a wrong one' }
      await expectRefusal(browser.post('allow', wrong), 'wrong_password')
      expect(await appsOf(grace)).toEqual([])
    })

    test('is only for the browser that the app opened, and gives only what the app asked for', async () => {
      const app = new ConnectingApp(tessera)
      await app.ask()
      app.page.searchParams.set('scope', 'read')
      const browser = await ConsentingBrowser.at(ada, app.page)
      const path = `/api/connect/${browser.uid}/allow`
      await expectRefusal(ada.post(path, { scope: 'read' }), 'connect_request_over')
      await expectRefusal(browser.post('allow', { scope: 'write' }), 'invalid_input')
      expect((await browser.post('allow', { scope: 'read' })).status).toBe(200)
    })

    test(`is refused for one app more than ${APPS_MAX}`, async () => {
      const app = { user_id: ada.id, client_id: 'x', name: 'X', host: 'x', scope: 'read' }
      const rows = Array.from({ length: APPS_MAX }, (_, nth) => `${ada.id} ${nth}`)
      await tessera.database.db
        .insertInto('connected_apps')
        .values(rows.map((id) => ({ ...app, id, made_at: tessera.clock.now().getTime() })))
        .execute()
      const { browser } = await asked()
      await expectRefusal(browser.post('allow', { scope: 'read' }), 'apps_full')
    })
  })

  test('apps that were registered and not connected go after a day; a connected one stays', async () => {
    const idle = new ConnectingApp(tessera)
    await idle.ask()
    const app = await connectApp(ada)
    tessera.clock.advance(DAY_MS)
    await tessera.app.jobs.runDue()
    const opens = async ({ page }: ConnectingApp) =>
      (await fetch(page, { redirect: 'manual' })).status
    expect(await opens(idle)).toBe(400)
    await app.ask()
    expect((await ping(app)).status).toBe(200)
    tessera.clock.advance(31 * DAY_MS)
    await tessera.app.jobs.runDue()
    expect(await appsOf(ada)).toEqual([])
  })

  test('an address registers a number of apps an hour, and each has an address to answer to', async () => {
    const address = someAddress()
    const register = (redirect_uris: string[]) =>
      fetch(`${tessera.origin}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ redirect_uris }),
      })
    const wrong = ['http://example.com/', 'javascript:alert(1)', 'https://example.com/#part', '']
    for (const each of wrong) expect([each, (await register([each])).status]).toEqual([each, 400])
    for (let nth = wrong.length; nth < databaseLimits['new-apps'].max; nth++) {
      expect((await register(['https://example.com/callback'])).status).toBe(201)
    }
    await expectRefusal(register(['https://example.com/callback']), 'rate_limited')
  })

  test('a document that describes an app is not fetched from this machine', async () => {
    const page = new URL('/oauth/authorize', tessera.origin)
    const { host } = new URL(tessera.origin)
    page.searchParams.set('client_id', `https://${host}/app.json`)
    const response = await fetch(page, { headers: { 'x-forwarded-for': someAddress() } })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_id metadata document fetch failed')
  })

  test('the authorization server passes the scenarios of the conformance suite', async () => {
    const port = await freePort()
    const app = new ConnectingApp(tessera, 'Suite', `http://127.0.0.1:${port}/callback`)
    await app.ask()
    const settings = {
      url: tessera.config.publicUrl,
      'client-id': app.client?.client_id ?? '',
      resource: `${tessera.config.publicUrl}/api/mcp`,
      port,
    }
    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
    const suite = spawn(process.execPath, [program, 'authorization', ...options])
    let said = ''
    for (const stream of [suite.stdout, suite.stderr]) {
      stream.on('data', (part) => {
        said += part
      })
    }
    const ended = once(suite, 'close')
    await expect.poll(() => said).toMatch(/http\S+\/oauth\/authorize\?\S+\n/)
    const [page = ''] = /http\S+\/oauth\/authorize\?\S+/.exec(said) ?? []
    const browser = await ConsentingBrowser.at(ada, new URL(page))
    const { url } = await (await browser.post('allow', { scope: 'read' })).json()
    await browser.open(url)
    expect([...(await ended), said]).toEqual([0, null, expect.stringMatching(/2 passed|2\/2/)])
  })
})
