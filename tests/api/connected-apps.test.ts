import { spawn } from 'node:child_process'
import { once } from 'node:events'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KeyScope } from '../../src/contract/integrations/api-keys.ts'
import { APPS_MAX, type ConnectedApp } from '../../src/contract/integrations/connected-apps.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { removeEnded } from '../../src/server/accounts/account-tables.ts'
import { UNUSED_MAX } from '../../src/server/accounts/connected-apps/oauth-records.ts'
import { removeMember } from '../../src/server/accounts/team/team-store.ts'
import { settleRestored } from '../../src/server/backup/restore.ts'
import { migrations } from '../../src/server/database/migrations.ts'
import { transact } from '../../src/server/database/transact.ts'
import { mayCount } from '../../src/server/http/limits/counts-store.ts'
import { type DatabaseLimit, databaseLimits } from '../../src/server/http/limits/limits.ts'
import { Agent } from '../support/agent.ts'
import { ConnectingApp, ConsentingBrowser, connectApp } from '../support/connecting-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { jobsAfter } from '../support/jobs.ts'
import { mailTo } from '../support/mailbox.ts'
import {
  enrolForEach,
  eventsOf,
  newPerson,
  type Person,
  prove,
  subscribe,
} from '../support/person.ts'
import { Program } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { addRows } from '../support/rows.ts'
import { signedInAgo } from '../support/session-age.ts'
import { runTessera, startAnother } from '../support/tessera.ts'

const PING = {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream' },
  body: { jsonrpc: '2.0', id: 1, method: 'ping' },
}
const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** An app that is described at its id, and whether its site answers */
const ID = 'https://app.example/app.json'
const DOCUMENT = `{"client_id":"${ID}","redirect_uris":["http://127.0.0.1:6274/callback"]}`
let isUp = true
const { request } = https
const requestDocument = (url: URL, options: https.RequestOptions) => {
  if (url.href !== ID) return request(url, options)
  const answer = Readable.from([Buffer.from(DOCUMENT)])
  const call = new PassThrough()
  setImmediate(() => call.emit('response', Object.assign(answer, { statusCode: isUp ? 200 : 503 })))
  return call
}
Object.assign(https, { request: requestDocument })
syncBuiltinESMExports()

describe.each(oneEngineInCi)('connected apps on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const ada = enrolForEach(tessera, 'unlimited')

  const appsOf = (person: Person) => person.ask<ConnectedApp[]>('/api/account/apps')
  const bearer = (token = '') => new Program(ada, token)
  const toolsOf = async (token?: string) => (await Agent.of(bearer(token))).tools()
  const ping = (token?: string) => bearer(token).call('/api/mcp', PING)

  const exhaust = (name: DatabaseLimit, who: string, times = databaseLimits[name].max) =>
    mayCount(tessera.database.db, name, who, tessera.clock.now(), { times })

  async function asked(person = ada, name?: string) {
    const app = new ConnectingApp(tessera, name)
    await app.ask()
    return ConsentingBrowser.at(person, app.page)
  }

  test('an app is allowed, works with the account by its tools, and is refused at once when it is disconnected', async () => {
    await prove(ada)
    const app = await connectApp(ada)
    const token = app.given?.access_token
    const agent = await Agent.of(bearer(token))
    const { id } = await agent.ask<{ id: string }>('make_code', {
      name: 'Menu',
      url: 'https://example.com/',
    })
    expect(await ada.ask(`/api/qr-codes/${id}`)).toMatchObject({ url: 'https://example.com/' })
    await expectRefusal(bearer(token).call('/api/qr-codes'), 'key_invalid')
    await expect.poll(async () => (await appsOf(ada))[0]?.lastUsedAt).toBeTruthy()
    const [entry] = await appsOf(ada)
    expect(entry).toMatchObject({ name: 'Robot', host: 'http://127.0.0.1:6274', scope: 'write' })
    expect(await mailTo(tessera, ada.email, 'An app was connected to your account')).toContain(
      '“Robot”',
    )

    const disconnect = (person: Person) => person.delete(`/api/account/apps/${entry?.id}`)
    await expectRefusal(disconnect(await newPerson(tessera)), 'not_found')
    expect((await ping(token)).status).toBe(200)
    expect((await disconnect(ada)).status).toBe(204)
    await expectRefusal(ping(token), 'key_invalid')
    expect((await app.refresh()).status).toBe(400)
    const events = (await eventsOf(tessera, ada.id)).filter((each) => each.startsWith('app-'))
    expect(events.sort()).toEqual(['app-connected', 'app-disconnected'])
  })

  test('an app that may only read sees no tool that changes, and keeps to that with each new token', async () => {
    const app = await connectApp(ada, 'read')
    await app.ask()
    expect(app.given?.scope).toBe('read')
    const tools = await toolsOf(app.given?.access_token)
    expect(tools).toContain('list_codes')
    expect(tools).not.toContain('make_code')
  })

  test('an app that takes a token only to read cannot change anything with it', async () => {
    const app = await connectApp(ada)
    const { access_token } = await (await app.refresh(undefined, 'read')).json()
    expect(await toolsOf(access_token)).not.toContain('make_code')
  })

  test('a token that was made before its scope had a column goes on working', async () => {
    const { given } = await connectApp(ada)
    const { db } = tessera.database
    for (const column of ['scope', 'resource']) {
      await db.schema.alterTable('oauth_records').dropColumn(column).execute()
    }
    await migrations['061-scopes-of-tokens']?.up(db)
    expect(await toolsOf(given?.access_token)).toContain('make_code')
  })

  test('says where to ask for access, and what is wrong with a token', async () => {
    const { publicUrl } = tessera.config
    const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/api/mcp"`
    const said = async (headers: Record<string, string>) => {
      const response = await fetch(`${tessera.origin}/api/mcp`, { method: 'POST', headers })
      return [response.status, response.headers.get('www-authenticate')]
    }
    expect(await said({})).toEqual([401, `Bearer ${metadata}`])
    const authorization = `Bearer ${'x'.repeat(43)}`
    expect(await said({ authorization })).toEqual([
      401,
      `Bearer error="invalid_token", ${metadata}`,
    ])
  })

  test('a refresh token that is used twice ends the app with all its tokens', async () => {
    const app = await connectApp(ada)
    const stolen = app.given?.refresh_token
    await app.ask()
    expect((await ping(app.given?.access_token)).status).toBe(200)
    expect((await app.refresh(stolen)).status).toBe(400)
    await expectRefusal(ping(app.given?.access_token), 'key_invalid')
    expect((await app.refresh()).status).toBe(400)
    expect(await appsOf(ada)).toEqual([])
    expect(await eventsOf(tessera, ada.id)).toContain('app-disconnected')
  })

  test('of two uses of a refresh token at the same moment none leaves a token that works', async () => {
    const app = await connectApp(ada)
    const answers = await Promise.all([app.refresh(), app.refresh(), app.refresh()])
    for (const answer of answers) {
      const { access_token } = await answer.json()
      if (access_token) await expectRefusal(ping(access_token), 'key_invalid')
    }
    expect(await appsOf(ada)).toEqual([])
  })

  test('an app that another person has taken over outlives the account of who connected it', async () => {
    const { db } = tessera.database
    const app = await connectApp(ada)
    const heir = await newPerson(tessera)
    const place = { workspaceId: ada.workspaceId, personId: ada.id }
    await transact(db, (tx) => removeMember(tx, place, tessera.clock.now(), heir.id))
    await app.ask()
    await removeEnded(db, ada.id)
    expect((await app.refresh()).status).toBe(200)
  })

  test('an app takes a number of new tokens an hour', async () => {
    const app = await connectApp(ada)
    const [{ id = '' } = {}] = await appsOf(ada)
    await exhaust('app-refreshes', id)
    expect((await app.refresh()).status).toBe(429)
  })

  test('an access token ends after an hour, and no stored one opens anything', async () => {
    const app = await connectApp(ada)
    const rows = await tessera.database.db.selectFrom('oauth_records').selectAll().execute()
    for (const token of [app.given?.access_token, app.given?.refresh_token]) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(JSON.stringify(rows)).not.toContain(token)
    }
    tessera.clock.advance(HOUR_MS)
    await expectRefusal(ping(app.given?.access_token), 'key_invalid')
    await app.ask()
    expect((await ping(app.given?.access_token)).status).toBe(200)
  })

  test('apps rest while the plan has lapsed, and end with a restore of a backup', async () => {
    const { given } = await connectApp(ada)
    await subscribe(ada, 'unlimited', 'canceled')
    await expectRefusal(ping(given?.access_token), 'api_not_in_plan')
    await subscribe(ada, 'unlimited')
    expect((await ping(given?.access_token)).status).toBe(200)
    const { db } = tessera.database
    expect((await settleRestored(db, tessera.clock.now())).apps).toBeGreaterThan(0)
    await db.deleteFrom('service_marks').where('name', '=', 'held').execute()
    await expectRefusal(ping(given?.access_token), 'key_invalid')
  })

  test('the consent names the app and where the answer goes, and a user can decline, even after allowing it', async () => {
    const browser = await asked()
    const path = `/api/connect/${browser.uid}/request`
    expect(await (await browser.fetch(new URL(path, tessera.origin))).json()).toEqual({
      name: 'Robot',
      site: null,
      sendsTo: 'http://127.0.0.1:6274',
      scopes: ['read', 'write'],
    })
    await browser.answer('read')
    const { searchParams } = await browser.leave(null)
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null])
    expect(await appsOf(ada)).toEqual([])
  })

  test('the consent asks for the plan with the API and for proof that the owner acts', async () => {
    const grace = await newPerson(tessera, 'professional')
    const browser = await asked(grace)
    await expectRefusal(browser.answer('read'), 'api_not_in_plan')
    await subscribe(grace, 'unlimited')
    await signedInAgo(grace, DAY_MS)
    await expectRefusal(browser.answer('read'), 'sign_in_again')
    await expectRefusal(browser.answer('read', 'a wrong one'), 'wrong_password')
    expect(await appsOf(grace)).toEqual([])
  })

  test('the consent is only for the browser that the app opened, and gives only what the app asked for', async () => {
    const app = new ConnectingApp(tessera)
    await app.ask()
    app.page.searchParams.set('scope', 'read')
    const browser = await ConsentingBrowser.at(ada, app.page)
    const elsewhere = ada.post(`/api/connect/${browser.uid}`, { scope: 'read' })
    await expectRefusal(elsewhere, 'not_found')
    await expectRefusal(browser.answer('write'), 'invalid_input')
    expect((await browser.answer('read')).status).toBe(200)
  })

  test('only the browser in which the person answered goes back to the app', async () => {
    const browser = await asked()
    const cookie = browser.cookiesFor(new URL(`/oauth/authorize/${browser.uid}`, tessera.origin))
    const { url } = await (await browser.answer('write')).json()
    await expectRefusal(fetch(url, { headers: { cookie }, redirect: 'manual' }), 'bad_request')
    expect((await browser.fetch(new URL(url))).headers.get('location')).toContain('code=')
  })

  test(`an account has at most ${APPS_MAX} apps`, async () => {
    const app = {
      workspace_id: ada.workspaceId,
      name: 'X',
      host: 'x',
      scope: 'read' satisfies KeyScope,
    }
    const rows = Array.from({ length: APPS_MAX }, (_, nth) => ({ id: `${ada.id} ${nth}`, ...app }))
    const made = { made_at: tessera.clock.now().getTime() }
    const { db } = tessera.database
    const apps = rows.map((row) => ({ ...row, ...made }))
    await addRows(db, 'connected_apps', apps)
    await expectRefusal((await asked()).answer('read'), 'apps_full')
  })

  test('apps that were registered and not connected go after two hours, connected ones a month after their last call', async () => {
    const idle = new ConnectingApp(tessera)
    await idle.ask()
    const app = await connectApp(ada)
    await jobsAfter(tessera, 2 * HOUR_MS)
    expect((await fetch(idle.page, { redirect: 'manual' })).status).toBe(400)
    await app.ask()
    expect((await ping(app.given?.access_token)).status).toBe(200)
    await expect.poll(async () => (await appsOf(ada))[0]?.lastUsedAt).toBeTruthy()
    await jobsAfter(tessera, 30 * DAY_MS)
    expect(await appsOf(ada)).toEqual([])
  })

  test('an address registers a number of apps an hour, and each has an address to answer to', async () => {
    let address = someAddress()
    const register = (redirect: string) =>
      fetch(`${tessera.origin}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ redirect_uris: [redirect] }),
      })
    const ofWeb = ['http://example.com/', 'javascript:alert(1)', 'https://a.b/#c', 'ws://a.b/', '']
    const ofSystem = ['ms-msdt:/id', 'search-ms:q', 'mailto:a@b', 'jar:a', 'tel:1']
    const wrong = [...ofWeb, ...ofSystem, 'view-source:https://a.b']
    for (const each of wrong) expect([each, (await register(each)).status]).toEqual([each, 400])
    for (let nth = wrong.length; nth < databaseLimits['new-apps'].max; nth++) {
      expect((await register('https://example.com/callback')).status).toBe(201)
    }
    await expectRefusal(register('https://example.com/callback'), 'rate_limited')
    await exhaust('new-apps-of-site', '2001:db8:77::/48')
    address = '2001:db8:77:1::1'
    await expectRefusal(register('https://example.com/callback'), 'rate_limited')
  })

  test('beyond a number of apps that are not connected the oldest go', async () => {
    const { db } = tessera.database
    const ends_at = tessera.clock.now().getTime() + HOUR_MS
    const row = { kind: 'Client', user_id: null, app_id: null, data: '{}', ends_at, used_at: null }
    const ids = Array.from({ length: UNUSED_MAX }, (_, nth) => `old ${nth}`)
    for (let from = 0; from < ids.length; from += 1_000) {
      const rows = ids.slice(from, from + 1_000).map((id) => ({ ...row, id }))
      await db.insertInto('oauth_records').values(rows).execute()
    }
    const app = new ConnectingApp(tessera)
    await app.ask()
    const unused = db.selectFrom('oauth_records').select('id').where('kind', '=', 'Client')
    const kept = await unused.where('ends_at', '<=', ends_at + 2 * HOUR_MS).execute()
    expect(kept).toHaveLength(UNUSED_MAX)
    expect(kept.map(({ id }) => id)).toContain(app.client?.client_id)
  })

  test('an app that asks for its answer by a form gets it in the address', async () => {
    const app = new ConnectingApp(tessera)
    await app.ask()
    app.page.searchParams.set('response_mode', 'form_post')
    const answer = await (await ConsentingBrowser.at(ada, app.page)).leave('read')
    expect(answer.searchParams.get('code')).toBeTruthy()
  })

  test('a request that no app would send is refused, and is no error of ours', async () => {
    const status = async (path: string) => (await fetch(tessera.origin + path)).status
    expect(await status('/oauth/authorize?client_id=%00')).toBe(400)
    expect(await status('/.well-known/oauth-authorization-serve%72')).toBe(404)
  })

  test('an address sends a number of requests for access an hour, and no long ones', async () => {
    const headers = { 'x-forwarded-for': someAddress() }
    const page = `${tessera.origin}/oauth/authorize?client_id=x&state=`
    await expectRefusal(fetch(page + 'x'.repeat(4_096), { headers }), 'bad_request')
    await exhaust('app-requests', headers['x-forwarded-for'])
    await expectRefusal(fetch(page, { headers }), 'rate_limited')
  })

  test('a document that describes an app is not fetched from this machine', async () => {
    const client = encodeURIComponent(tessera.origin.replace('http:', 'https:'))
    const page = `${tessera.origin}/oauth/authorize?client_id=${client}/app.json`
    const response = await fetch(page, { headers: { 'x-forwarded-for': someAddress() } })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('metadata document fetch failed')
  })

  test('any process connects an app that has a document, and asks it to wait while the document cannot be read', async () => {
    const environment = { ...BEHIND_PROXY, PUBLIC_URL: tessera.config.publicUrl }
    const start = () => startAnother(tessera, { clock: tessera.clock, environment })
    const [second, third] = [await start(), await start()]
    for (const each of [second, third]) onTestFinished(each.stop)
    const app = new ConnectingApp(tessera)
    app.client = { client_id: ID }
    await app.ask()
    const browser = await ConsentingBrowser.at(ada, app.page)
    const path = `/api/connect/${browser.uid}/request`
    const cookie = browser.cookiesFor(new URL(path, tessera.origin))
    expect((await fetch(second.origin + path, { headers: { cookie } })).status).toBe(200)
    const answer = await browser.leave('read')
    await app.ask(answer.searchParams.get('code') ?? '')

    await exhaust('new-apps', '127.0.0.1')
    isUp = false
    app.place = third
    const refused = await app.refresh()
    expect([refused.status, (await refused.json()).error]).toEqual([503, 'temporarily_unavailable'])
    isUp = true
    expect((await app.refresh()).status).toBe(200)
  })

  test('the authorization server passes the scenarios of the conformance suite', async () => {
    const [port, { publicUrl }] = [await freePort(), tessera.config]
    const app = new ConnectingApp(tessera, 'Suite', `http://127.0.0.1:${port}/callback`)
    await app.ask()
    const client = `--client-id=${app.client?.client_id}`
    const options = [
      `--url=${publicUrl}`,
      client,
      `--resource=${publicUrl}/api/mcp`,
      `--port=${port}`,
    ]
    const suite = spawn(process.execPath, [SUITE, 'authorization', ...options])
    const ended = once(suite, 'close')
    let said = ''
    for (const stream of [suite.stdout, suite.stderr]) {
      stream.on('data', (part) => {
        said += part
      })
    }
    await expect.poll(() => said).toContain('Waiting')
    const [page = ''] = /http\S+\/oauth\/authorize\?\S+/.exec(said) ?? []
    const browser = await ConsentingBrowser.at(ada, new URL(page))
    await browser.open((await (await browser.answer('read')).json()).url)
    expect(await ended, said).toEqual([0, null])
  })
})
