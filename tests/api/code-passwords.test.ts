import { afterEach, describe, expect, test } from 'vitest'
import type { Share } from '../../src/contract/analytics/shares.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { BEHIND_PROXY, fromSomewhere } from '../support/crowd.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { HeldHashes, SLOW } from '../support/held-hashes.ts'
import { ledgerOf } from '../support/ledger.ts'
import { metricOf } from '../support/metric.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera, tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

const MENU = 'https://example.com/menu'
const POLISH = 'https://example.com/pl'
const PASSWORD = 'Sésame öffne dich'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Enters a password on the page of a code, from another address each time. */
function enter(origin: string, path: string, password: string, headers = {}) {
  const body = new URLSearchParams({ password }).toString()
  const all = { ...FORM, ...fromSomewhere(), ...headers }
  return visit(origin + path, { method: 'POST', body, headers: all })
}

describe.each(engines)('the password of a code on %s', (engine) => {
  const logged: string[] = []
  const logTo = { write: (line: string) => logged.push(line) }
  const environment = { ...BEHIND_PROXY, EXPIRED_PAGE: 'continue', LOG_LEVEL: 'trace' }
  const tessera = runTessera({ engine, environment, logTo })
  const ada = enrolPerson(tessera, 'unlimited')
  const urlOf = ({ shortCode }: QrCode) => `/qr/${shortCode}`
  const get = (path: string, method = 'GET', headers = {}) =>
    visit(tessera.origin + path, { method, headers })
  const post = (path: string, password: string, headers = {}) =>
    enter(tessera.origin, path, password, headers)

  async function scansOf({ id }: QrCode) {
    await allCounted(tessera)
    return (await ledgerOf(tessera.database)).filter((row) => row.code_id === id)
  }

  test('is asked for by a page that leads nowhere and counts no scan', async () => {
    const code = await ada.code({ url: MENU, password: PASSWORD })
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(urlOf(code), method)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store' })
      expect(headers).not.toHaveProperty('location')
    }
    const bot = await get(urlOf(code), 'GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0' })
    expect(bot.body).toContain('<form method="post">')
    expect(bot.body).not.toContain('example.com')
    expect(await scansOf(code)).toEqual([])
  })

  test('leads on if it is right, as one scan of the person who entered it', async () => {
    const rules = [{ languages: ['pl'], variants: [{ url: POLISH, share: 100 }] }]
    const code = await ada.code({ url: MENU, passQuery: true, rules, password: PASSWORD })
    const right = await post(`${urlOf(code)}?table=7`, ` ${PASSWORD}`, {
      referer: `${tessera.origin}${urlOf(code)}`,
    })
    expect(right).toMatchObject({ status: 303, headers: { location: `${MENU}?table=7` } })
    expect(right.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(right.headers).not.toHaveProperty('set-cookie')
    const imagined = await ada.make(`/api/qr-codes/${code.id}/try`, { language: 'pl' })
    expect(imagined).toMatchObject({ gets: 'destination', url: POLISH })
    const polish = await post(urlOf(code), PASSWORD, { 'accept-language': 'pl' })
    expect(polish.headers.location).toBe(POLISH)
    const scans = await scansOf(code)
    expect(scans).toMatchObject([{ class: 'person', referrer: null }, { class: 'person' }])
    await ada.change(code.id, { password: null })
    expect((await get(urlOf(code))).headers.location).toBe(MENU)
    expect((await post(urlOf(code), PASSWORD)).status).toBe(405)
  })

  test('leads nowhere if it is wrong, and a form of another kind or size is refused', async () => {
    const code = await ada.code({ password: PASSWORD })
    const wrong = await post(urlOf(code), 'sesame')
    expect(wrong).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } })
    expect(wrong.headers).not.toHaveProperty('location')
    expect(wrong.body).toContain('That’s not the password.')
    expect((await post(urlOf(code), '')).status).toBe(403)
    expect((await post(urlOf(code), 'x'.repeat(4_096))).status).toBe(413)
    expect((await post(urlOf(code), PASSWORD, { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await scansOf(code)).toEqual([])
  })

  test('takes the number of a limit only when it is right, and a code that is over needs none', async () => {
    const code = await ada.code({ url: MENU, scanLimit: 1, password: PASSWORD })
    await get(urlOf(code))
    await post(urlOf(code), 'wrong')
    const entered = [await post(urlOf(code), PASSWORD), await post(urlOf(code), PASSWORD)]
    expect(entered.map(({ status }) => status)).toEqual([303, 410])
    await ada.change(code.id, { isActive: false, fallbackUrl: POLISH })
    expect((await post(urlOf(code), 'anything')).headers.location).toBe(POLISH)
  })

  test('can be tried a few times by each address, and a hundred times by all of them', async () => {
    const code = await ada.code({ password: PASSWORD })
    const other = await ada.code({ password: PASSWORD })
    const here = fromSomewhere()
    for (let count = 0; count < 40; count++) await post(urlOf(code), PASSWORD, here)
    const tries = Array.from({ length: 31 }, () => post(urlOf(code), 'wrong', here))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    const late = await post(urlOf(other), PASSWORD, here)
    expect(late).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
    expect(late.body).toMatch(/Try again in (9|10) minutes/)
    expect((await post(urlOf(code), PASSWORD)).status).toBe(303)
    for (let count = 30; count < 100; count++) await post(urlOf(code), 'wrong')
    expect((await post(urlOf(code), PASSWORD)).status).toBe(429)
    expect((await post(urlOf(other), PASSWORD)).status).toBe(303)
  })

  test('is in no answer and no log', async () => {
    const code = await ada.code({ password: PASSWORD })
    expect(code.hasPassword).toBe(true)
    expect((await ada.change(code.id, { name: 'The same' })).hasPassword).toBe(true)
    const [row] = await rowsOf(tessera.database.db, 'codes', { id: code.id })
    expect(row?.password).toMatch(/^\w{32}:\w+$/)
    const { link } = await ada.make<Share>(`/api/analytics/shares?qr=${code.id}`, {})
    const shared = new URL(link ?? '').pathname.replace('/s/', '/api/share/')
    for (const path of ['/code', '/figures', '/now']) {
      expect(await (await ada.call(shared + path)).text()).not.toContain('example.com')
    }
    await post(urlOf(code), PASSWORD)
    const paths = ['/api/qr-codes', `/api/qr-codes/${code.id}`, '/api/qr-codes/export.csv']
    const texts = paths.map(async (path) => (await ada.call(path)).text())
    for (const text of [...(await Promise.all(texts)), logged.join('')]) {
      expect(text).not.toContain(row?.password)
      expect(text).not.toContain(PASSWORD)
    }
    await expectRefusal(ada.patch(code.id, { password: 'x'.repeat(129) }), 'invalid_input')
    await ada.post('/api/qr-codes/bulk/change', { ids: [code.id], change: { password: 'other' } })
    expect((await post(urlOf(code), 'other')).status).toBe(303)
  })

  test('protects the destination of a link with a +, which says that there are rules', async () => {
    const rules = [{ languages: ['pl'], variants: [{ url: POLISH, share: 100 }] }]
    const code = await ada.code({ url: MENU, rules, password: PASSWORD })
    const { status, body } = await get(`${urlOf(code)}+`)
    expect(status).toBe(200)
    expect(body).toContain('This code asks for a password.')
    expect(body).toContain('It can lead elsewhere, by rules of its owner.')
    expect(body).not.toContain('example.com')
    const { db } = tessera.database
    await db.updateTable('codes').set({ expires_at: 1 }).where('id', '=', code.id).execute()
    tessera.app.announce([code.shortCode])
    const expired = await get(urlOf(code))
    expect(expired.status).toBe(410)
    expect(expired.body).not.toContain('example.com')
  })
})

describe.each(oneEngineInCi)('many passwords of codes at once on %s', (engine) => {
  const hashes = new HeldHashes()
  afterEach(() => hashes.release())

  test('wait for each other, and no one who signs in waits for them', async () => {
    const environment = BEHIND_PROXY
    const tessera = await tesseraForTest({ engine, environment, derive: hashes.derive })
    const ada = await newPerson(tessera)
    const code = await ada.code({ password: PASSWORD })
    const path = `/qr/${code.shortCode}`
    const other = `/qr/${(await ada.code({ password: PASSWORD })).shortCode}`
    const flood = Array.from({ length: 101 }, (_, at) =>
      enter(tessera.origin, at % 2 ? path : other, SLOW),
    )
    await expect.poll(() => metricOf(tessera, 'code_passwords_waiting')).toBe(100)
    const late = await enter(tessera.origin, path, PASSWORD)
    expect(late).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(late.body).toContain('Please try again in a moment')
    expect((await ada.signIn()).status).toBe(200)
    hashes.release()
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([403]))
  })
})
