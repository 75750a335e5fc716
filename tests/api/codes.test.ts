import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { CodeAnalytics } from '../../src/contract/analytics/analytics.ts'
import type { BinnedCode, QrCode } from '../../src/contract/codes/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { decodePicture } from '../support/decode.ts'
import { engines } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { enrolPerson, newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

const INVALID_URL = 'Must be a valid URL'
const LONG_URL = 'URL must be at most 2048 characters'
const NO_COLOUR = 'Must be a hex colour such as #1e40af'
const OWN_LINK = 'This is one of our own short links. Enter the page it should lead to.'

describe.each(engines)('codes on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'unlimited')

  const get = (id: string) => owner.ask<QrCode>(`/api/qr-codes/${id}`)
  const restore = (person: Person, id: string) =>
    person.call(`/api/qr-codes/${id}/restore`, { method: 'POST' })

  test('a change answers the changed code, and changes nothing else', async () => {
    const code = await owner.code({ name: 'Menu', style: 'rounded' })
    const changed = await owner.change(code.id, { url: 'https://example.com/dinner' })
    expect(changed).toEqual({ ...code, url: 'https://example.com/dinner', version: 3 })
    expect(await get(code.id)).toEqual(changed)
    expect(await leadsTo(tessera, code.shortCode)).toBe('https://example.com/dinner')
    expect(await owner.change(code.id, {})).toEqual(changed)
  })

  test('a compact code holds the link in capitals, and that link redirects', async () => {
    const code = await owner.code({ compact: true })
    const response = await owner.call(`/api/qr-codes/${code.id}/generate`)
    const link = await decodePicture(new Uint8Array(await response.arrayBuffer()))
    expect(link).toBe(`${tessera.origin}/qr/${code.shortCode}`.toUpperCase())
    const { pathname } = new URL(link ?? '')
    const answer = await visit(tessera.origin.replace('localhost', '127.0.0.1') + pathname)
    expect(answer).toMatchObject({ status: 302, headers: { location: code.url } })
    const analytics = () => owner.ask<CodeAnalytics>(`/api/analytics/qr-code/${code.id}`)
    await eventually(async () => (await analytics()).totalScans === 1)
  })

  test.each([
    ['a name of blanks', { name: ' \t ' }, { name: 'Name is required' }],
    ['a long name', { name: 'x'.repeat(201) }, { name: 'Name must be at most 200 characters' }],
    ['a long destination', { url: `https://example.com/${'x'.repeat(2030)}` }, { url: LONG_URL }],
    ['a strange style', { style: 'dots' }, { style: 'Must be one of: classic, rounded' }],
    ['a colour that is none', { backgroundColor: '"/><script>' }, { backgroundColor: NO_COLOUR }],
    ['a level that is none', { ecc: 'X' }, { ecc: 'Must be one of: L, M, Q, H' }],
    ['two that are wrong', { name: '', url: 'x' }, { name: 'Name is required', url: INVALID_URL }],
  ])('%s is refused field by field and changes nothing', async (_case, change, fields) => {
    const code = await owner.code()
    const body = { name: 'Renamed', url: 'https://example.com/other', ...change }
    const answer = await refusal(await owner.patch(code.id, body))
    expect(answer).toEqual({
      status: 422,
      code: 'invalid_input',
      message: Object.values(fields)[0],
      fields,
    })
    expect(await get(code.id)).toEqual(code)
  })

  test.each([
    ['javascript:alert(1)'],
    ['ftp://example.com/file'],
    ['https://:secret@example.com/'],
    ['https://user@example.com/'],
    ['https:example.com'],
    ['http://'],
    ['https://example.com:99999/'],
    ['https://example.com/\u0000'],
    ['mailto:ada@example.com', `${INVALID_URL} that starts with http:// or https://`],
    ['\u202atel:+49301234', `${INVALID_URL} that starts with http:// or https://`],
    ['\u200bexample.com/menu', `${INVALID_URL}: add https://`],
    [`https://example.com/${'ä'.repeat(400)}`, 'URL must be at most 2048 characters'],
  ])('the destination %j is refused', async (url, message = INVALID_URL) => {
    const code = await owner.code()
    expect(await refusal(await owner.patch(code.id, { url }))).toMatchObject({
      status: 422,
      fields: { url: message },
    })
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
  })

  test.each([
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['  http://example.com/a b ', 'http://example.com/a%20b'],
    [
      'https://bücher.example/straße?q=ü#ö',
      'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC#%C3%B6',
    ],
    ['https://example.com/\u202ea', 'https://example.com/%E2%80%AEa'],
    [' \u202a\ufeffhttps://example.com/a\u00ad\u200b\u{e0020} \u200e', 'https://example.com/a'],
  ])('the destination %j is stored and sent as %j', async (url, href) => {
    const code = await owner.code({ url })
    expect(code.url).toBe(href)
    expect(await leadsTo(tessera, code.shortCode)).toBe(href)
  })

  test('our own short links are refused as destinations in any spelling', async () => {
    const code = await owner.code()
    // tests/unit/server/code-rules.test.ts has the other spellings.
    const links = [
      `${tessera.origin}/QR/${code.shortCode.toUpperCase()}`,
      `http://127.0.0.1:${new URL(tessera.origin).port}/x/../q%72/abc`,
      `${tessera.origin}/qr`,
    ]
    for (const url of links) {
      const answer = await refusal(await owner.patch(code.id, { url }))
      expect([url, answer.fields?.url]).toEqual([url, OWN_LINK])
    }
    for (const url of [`${tessera.origin}/`, `${tessera.origin}/qrs`, 'https://example.com/qr/a']) {
      expect((await owner.patch(code.id, { url })).status).toBe(200)
    }
  })

  test('a change cannot set other fields', async () => {
    const other = await newPerson(tessera)
    const free = await newPerson(tessera)
    const code = await free.code()
    const forbidden = {
      id: '00000000-0000-4000-8000-000000000000',
      userId: other.id,
      user_id: other.id,
      shortCode: 'aaaaaaa',
      short_code: 'aaaaaaa',
      expiresAt: null,
      expires_at: null,
      createdAt: '2000-01-01T00:00:00.000Z',
      deletedAt: '2000-01-01T00:00:00.000Z',
      savedAt: null,
      totalScans: 1_000_000,
      plan: 'unlimited',
      tier: 'unlimited',
    }
    const body = { name: 'Renamed', ...forbidden }
    const response = await free.patch(code.id, body)
    expect(await response.json()).toEqual({ ...code, name: 'Renamed', version: 3 })
    expect(await free.ask('/api/auth/user')).toMatchObject({ subscriptionTier: 'free' })
    expect(await free.ask('/api/analytics/user')).toMatchObject({ totalScans: 0 })
  })

  test('a deleted code stops at once and is no longer listed or counted', async () => {
    const person = await newPerson(tessera, 'professional')
    const code = await person.code({ vanityUrl: `gone-${engine}` })
    const kept = await person.code()
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    const response = await person.remove(code.id)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(await leadsTo(tessera, code.shortCode)).toBe(404)
    expect(await leadsTo(tessera, `gone-${engine}`)).toBe(404)
    expect(await person.ask('/api/qr-codes')).toEqual([kept])
    const counted = { totalQrCodes: 1, totalScans: 0 }
    expect(await person.ask('/api/analytics/user')).toMatchObject(counted)
    expect(await person.plan()).toMatchObject({ qrCodeCount: 1 })
    for (const path of ['', '/generate', '/download-zip']) {
      expect((await person.call(`/api/qr-codes/${code.id}${path}`)).status).toBe(404)
    }
    expect((await person.call(`/api/analytics/qr-code/${code.id}`)).status).toBe(404)
    await expectRefusal(person.remove(code.id), 'code_not_found')
    expect(await person.plan()).toMatchObject({ qrCodeCount: 1 })
  })

  test('a deleted code can be restored as it was', async () => {
    const code = await owner.code({ vanityUrl: `back-${engine}` })
    await owner.remove(code.id)
    expect(await (await restore(owner, code.id)).json()).toEqual(code)
    expect(await get(code.id)).toEqual(code)
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    expect(await leadsTo(tessera, `back-${engine}`)).toBe(code.url)
    await expectRefusal(restore(owner, code.id), 'code_not_found')
  })

  test('a deleted code can be restored for thirty days and is then purged with its scans', async () => {
    const person = await newPerson(tessera, 'starter')
    const [kept, purged] = [await person.code(), await person.code()]
    for (const code of [kept, purged]) {
      await leadsTo(tessera, code.shortCode)
      await person.remove(code.id)
    }
    await allCounted(tessera)
    await jobsAfter(tessera, 29 * DAY_MS)
    expect((await restore(person, kept.id)).status).toBe(200)
    await jobsAfter(tessera, 2 * DAY_MS)
    await expectRefusal(restore(person, purged.id), 'code_not_found')
    const scannedCodes = async () => {
      const scans = tessera.database.db.selectFrom('scans').select('code_id')
      const rows = await scans.where('code_id', 'in', [kept.id, purged.id]).execute()
      return rows.map((row) => row.code_id)
    }
    // The job works in short steps, and goes on at its next turn.
    await eventually(async () => {
      await jobsAfter(tessera, 60_000)
      return (await scannedCodes()).length === 1
    })
    expect(await scannedCodes()).toEqual([kept.id])
    expect(await leadsTo(tessera, kept.shortCode)).toBe(kept.url)
    await person.code()
    await person.code()
    await subscribe(person, 'starter', 'canceled')
    expect(await person.plan()).toMatchObject({ qrCodeCount: 3 })
  })

  const bin = (person: Person) => person.ask<BinnedCode[]>('/api/qr-codes/bin')
  const namesOf = (codes: BinnedCode[]) => codes.map(({ name }) => name)

  test('the bin holds a deleted code with the days of its deletion and purge', async () => {
    const person = await newPerson(tessera, 'professional')
    const code = await person.code({ vanityUrl: `binned-${engine}` })
    const before = tessera.clock.now().getTime()
    await person.remove(code.id)
    const after = tessera.clock.now().getTime()
    const [binned, ...others] = await bin(person)
    expect(others).toEqual([])
    expect(binned).toMatchObject(code)
    const deletedAt = Date.parse(binned?.deletedAt ?? '')
    expect(deletedAt).toBeGreaterThanOrEqual(before)
    expect(deletedAt).toBeLessThanOrEqual(after)
    expect(Date.parse(binned?.purgedAt ?? '')).toBe(deletedAt + 30 * DAY_MS)
  })

  test('the bin lists the code that was deleted last first', async () => {
    const person = await newPerson(tessera, 'starter')
    const codes = []
    for (const name of ['First', 'Second', 'Third']) codes.push(await person.code({ name }))
    for (const code of [codes[1], codes[0], codes[2]]) {
      await person.remove(code?.id ?? '')
      tessera.clock.advance(1000)
    }
    expect(namesOf(await bin(person))).toEqual(['Third', 'First', 'Second'])
  })

  test('the bin holds no drafts, no restored codes and no purged codes', async () => {
    const person = await newPerson(tessera, 'professional')
    await person.remove((await person.draft()).id)
    const [restored, purged, late] = [
      await person.code({ name: 'Restored' }),
      await person.code({ name: 'Purged' }),
      await person.code({ name: 'Late' }),
    ]
    await person.remove(restored.id)
    await person.remove(purged.id)
    tessera.clock.advance(2 * DAY_MS)
    await person.remove(late.id)
    await person.make(`/api/qr-codes/${restored.id}/restore`)
    expect(namesOf(await bin(person))).toEqual(['Late', 'Purged'])
    await jobsAfter(tessera, 29 * DAY_MS)
    expect(namesOf(await bin(person))).toEqual(['Late'])
  })
})
