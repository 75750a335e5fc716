import { connect as dial } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { forBlock } from '../support/for-block.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { enrolPerson, newPerson, subscribe } from '../support/person.ts'
import { startService } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { runTessera, startTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

describe.each(engines)('a printed link on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolPerson(tessera, 'unlimited')

  const scan = (path: string, method = 'GET') =>
    visit(tessera.origin.replace('localhost', '127.0.0.1') + path, { method })

  async function leads(path: string): Promise<string | undefined> {
    const { status, headers } = await scan(path)
    return status === 302 ? (headers.location as string) : `status ${status}`
  }

  async function scansOf({ id }: QrCode): Promise<number> {
    await allCounted(tessera)
    return (await ledgerOf(tessera.database)).filter((row) => row.code_id === id).length
  }

  test('redirects, and no cache may keep the answer', async () => {
    const { shortCode } = await ada.code({ url: 'https://example.com/menu?a=1&b=ü#top' })
    const answer = await scan(`/qr/${shortCode}`)
    expect(answer).toMatchObject({ status: 302, body: '' })
    expect(answer.headers).toMatchObject({
      location: 'https://example.com/menu?a=1&b=%C3%BC#top',
      'cache-control': 'no-store',
      'content-length': '0',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('answers a HEAD like a GET', async () => {
    const { shortCode } = await ada.code()
    const answer = await scan(`/qr/${shortCode}`, 'HEAD')
    expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/menu' } })
  })

  test('works however it is typed, and with what printers and mail programs add to it', async () => {
    const code = await ada.code({ vanityUrl: 'Summer_Menu-26' })
    const name = code.shortCode
    const typed = [`/qr/${name}/`, '/QR/SUMMER_MENU-26', '/qr/%53ummer_menu-26?a=b']
    for (const path of [...typed, `/qr/${name}),%0a`, `/qr///${name.toUpperCase()}.&a=b`]) {
      expect([path, await leads(path)]).toEqual([path, code.url])
    }
    expect(await scansOf(code)).toBe(5)
    expect((await scan(`/qr/${name}+.`)).body).toContain(code.url)
    expect(await leads(`/qr/${name}/x`)).toBe('status 404')
  })

  test('passes its parameters on if its code says so', async () => {
    const { id, shortCode } = await ada.code({ url: 'https://example.com/?a=1&b#top' })
    const asked = `/qr/${shortCode}?table=7&a=2`
    expect(await leads(asked)).toBe('https://example.com/?a=1&b#top')
    expect(await ada.change(id, { passQuery: true })).toMatchObject({ passQuery: true })
    for (const query of ['?table=7&a=2', '&table=7']) {
      expect(await leads(`/qr/${shortCode}${query}`)).toBe('https://example.com/?a=1&b&table=7#top')
    }
    await ada.change(id, { passQuery: false })
    expect(await leads(asked)).toBe('https://example.com/?a=1&b#top')
  })

  test('with a + shows its destination and counts no scan', async () => {
    const url = "https://example.com/?q=\"><script>alert(1)</script>&x='y'"
    const code = await ada.code({ url })
    const answer = await scan(`/qr/${code.shortCode}+`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toContain('https://example.com/?q=')
    expect(answer.body).not.toContain('<script')
    expect(answer.body).not.toMatch(/href="[^"]*["'][^ >]/)
    expect(await scansOf(code)).toBe(0)
  })

  test.each([
    '/qr/',
    '/qr/no-such-code+',
    '/qr/abc%00def',
    '/qr/__proto__',
    '/qr/<script>alert(1)</script>',
    `/qr/${'x'.repeat(5_000)}`,
  ])('that does not exist, such as %.40s, gets our 404 page', async (path) => {
    const answer = await scan(path)
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('Code not found')
    expect(answer.body).not.toContain('alert')
  })

  test('that was deleted looks as if it had never been there', async () => {
    const code = await ada.code()
    await ada.remove(code.id)
    const answerOf = async (path: string) => {
      const { status, headers, body } = await scan(path)
      return { status, body, headers: { ...headers, date: '' } }
    }
    for (const end of ['', '+']) {
      const deleted = await answerOf(`/qr/${code.shortCode}${end}`)
      expect(deleted.status).toBe(404)
      expect(deleted).toEqual(await answerOf(`/qr/aaaaaaa${end}`))
    }
  })

  test('never gets a 5xx or a redirect for any path', async () => {
    const part = fc.oneof(
      fc
        .string({ unit: 'binary', maxLength: 20 })
        .map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(...'% %2 %00 .. / %2F + ~ ; ? //  %5C @ :'.split(' ')),
    )
    const property = fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
      const { status } = await scan(`/qr/${parts.join('')}`)
      expect(status).toBe(404)
    })
    await fc.assert(property, { seed, numRuns: times(40, 2_000) })
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'answers %s without a 5xx and without a scan',
    async (method) => {
      const code = await ada.code()
      const { status } = await scan(`/qr/${code.shortCode}`, method)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(await scansOf(code)).toBe(0)
    },
  )

  test('leads to a new destination as soon as that is saved', async () => {
    const code = await ada.code({ url: 'https://example.com/0', vanityUrl: 'changing' })
    for (let edit = 0; edit < 10; edit++) {
      const path = edit % 2 ? code.shortCode : 'changing'
      expect(await leads(`/qr/${path}`)).toBe(`https://example.com/${edit}`)
      await ada.change(code.id, { url: `https://example.com/${edit + 1}` })
    }
  })

  test('says that it is paused, and resumes at once', async () => {
    const code = await ada.code()
    expect(await leads(`/qr/${code.shortCode}`)).toBe('https://example.com/menu')
    await ada.change(code.id, { isActive: false })
    await ada.change(code.id, { name: 'Still paused' })
    const answer = await scan(`/qr/${code.shortCode}`)
    expect(answer).toMatchObject({ status: 410, headers: { 'cache-control': 'no-store' } })
    expect(answer.body).toContain('This code is paused')
    expect(answer.body).not.toContain('Continue')
    expect(await scan(`/qr/${code.shortCode}+`)).toMatchObject({ status: 410, body: answer.body })
    await ada.change(code.id, { isActive: true })
    expect(await leads(`/qr/${code.shortCode}`)).toBe('https://example.com/menu')
    expect(await scansOf(code)).toBe(2)
  })

  test('that leads nowhere gets a page in the language of its reader, which no cache keeps', async () => {
    const { id, shortCode } = await ada.code()
    await ada.change(id, { isActive: false })
    const accepted = { 'accept-language': 'fi, ar-EG;q=0.9, en;q=0.8' }
    for (const name of [shortCode, 'no-such-code']) {
      const { headers, body } = await visit(`${tessera.origin}/qr/${name}`, { headers: accepted })
      expect(headers).toMatchObject({ 'content-language': 'ar', vary: 'Accept-Language' })
      expect(headers['cache-control']).toBe('no-store')
      expect(body).toContain('<html lang="ar" dir="rtl">')
    }
  })

  test('of a free code works to the last moment, known or not, and revives with the plan', async () => {
    const bob = await newPerson(tessera)
    const code = await bob.code()
    const path = `/qr/${code.shortCode}`
    tessera.clock.set(new Date(Date.parse(code.expiresAt as string) - 5_000).toISOString())
    expect((await scan(path)).status).toBe(302)
    tessera.clock.advance(10_000)
    for (const over of [path, `${path}+`]) {
      const { status, body } = await scan(over)
      expect([status, body]).toEqual([410, expect.stringContaining('This code has expired')])
      expect(body).toContain(`<a class="go" href="${code.url}"`)
      expect(body).toContain(`Continue to <bdi>${new URL(code.url).host}</bdi></a>`)
    }
    expect(await scansOf(code)).toBe(1)
    await subscribe(bob, 'starter')
    expect((await scan(path)).status).toBe(302)
    tessera.clock.advance(400 * DAY_MS)
    expect((await scan(path)).status).toBe(302)
  })
})

test('a redirect on a kept-alive connection does not delay a stop', async () => {
  const own = await startTessera()
  const { server } = own.app
  const socket = dial(own.config.port, '127.0.0.1')
  const answer = text(socket)
  const held = Promise.withResolvers<void>()
  own.capture.record = (_code, _visit, go) => void held.promise.then(go)
  const { shortCode } = await (await newPerson(own)).code()
  socket.write(`GET /qr/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await new Promise<void>((resolve) => server.server.once('request', () => resolve()))
  const stopping = own.stop()
  await eventually(() => !server.server.listening)
  held.resolve()
  await stopping
  expect(await answer).toMatch(/^HTTP\/1\.1 302 /)
})

const onPostgres = engines.filter((engine) => engine === 'postgres')

describe.each(onPostgres)('a second process on %s', (engine) => {
  const tessera = runTessera({ engine })
  const second = forBlock(() =>
    startService({ dataDir: tessera.dataDir, location: tessera.database.location }),
  )
  const ada = enrolPerson(tessera, 'unlimited')

  const answer = async (path: string) => {
    const { status, headers } = await visit(`${second.origin}/qr/${path}`, { method: 'HEAD' })
    return headers.location ?? status
  }

  test('sees every change that the first one makes', async () => {
    const code = await ada.code({ url: 'https://example.com/old' })
    await eventually(async () => (await answer(code.shortCode)) === 'https://example.com/old')
    await ada.change(code.id, { url: 'https://example.com/new', vanityUrl: 'both-see-it' })
    await eventually(async () => (await answer(code.shortCode)) === 'https://example.com/new')
    await eventually(async () => (await answer('both-see-it')) === 'https://example.com/new')
    await ada.change(code.id, { isActive: false })
    await eventually(async () => (await answer(code.shortCode)) === 410)
    await ada.remove(code.id)
    await eventually(async () => (await answer('both-see-it')) === 404)
  })

  test('gets more changed names than one notification holds', async () => {
    // One after the other: an account has fewer drafts at once.
    const codes: QrCode[] = []
    for (let n = 0; n < 12; n++) codes.push(await ada.code({ url: `https://example.com/${n}` }))
    for (const [n, { shortCode }] of codes.entries()) {
      expect(await answer(shortCode)).toBe(`https://example.com/${n}`)
    }
    const names = codes.map(({ shortCode }) => shortCode)
    const rows = tessera.database.db
      .updateTable('codes')
      .where('workspace_id', '=', ada.workspaceId)
    await rows.set({ paused_at: 1 }).execute()
    const strangers = Array.from({ length: 2_000 }, (_, n) => `${'x'.repeat(40)}-${n}`)
    tessera.app.announce([...strangers, ...names])
    for (const name of names) await eventually(async () => (await answer(name)) === 410, 5_000)
  })
})
