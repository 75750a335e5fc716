import { afterAll, describe, expect, test } from 'vitest'
import type { Scan } from '../../src/contract/analytics/figures.ts'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { removeMark, setMark } from '../../src/server/database/service-marks.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines, serverEngineInCi } from '../support/engines.ts'
import { newFolder } from '../support/folder.ts'
import { ledgerOf } from '../support/ledger.ts'
import { enrolPerson, subscribe } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { ended, type ServerProcess, settingsOf, startProcess } from '../support/process.ts'
import { expectRefusal } from '../support/refusal.ts'
import { times } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'
import { databaseForBlock } from '../support/test-database.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

const MAIN = 'https://example.com/menu'
const STORE = 'https://apps.apple.com/app'
const POLISH = 'https://example.com/pl'
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
const RULES: CodeChange['rules'] = [
  { systems: ['iOS'], languages: ['de'], variants: [{ url: STORE, share: 100 }] },
  { languages: ['pl'], variants: [{ url: POLISH, share: 100 }] },
]

/** Where a link leads a phone, or its status. */
async function led(origin: string, path: string, headers: Record<string, string> = {}) {
  const answer = await visit(origin + path, { headers })
  return answer.status === 302 ? answer.headers.location : answer.status
}

describe.each(engines)('what a code may do on %s', (engine) => {
  const tessera = runTessera({ engine, now: '2026-11-27T12:00:00Z' })
  const ada = enrolPerson(tessera, 'unlimited')
  const eve = enrolPerson(tessera, 'starter')

  const leads = ({ shortCode }: QrCode, headers?: Record<string, string>) =>
    led(tessera.origin, `/qr/${shortCode}`, headers)
  const pageOf = async ({ shortCode }: QrCode, end = '') =>
    (await visit(`${tessera.origin}/qr/${shortCode}${end}`)).body

  test('rules lead visitors by their device and language', async () => {
    const code = await ada.code({ rules: RULES })
    expect(code.rules).toMatchObject(RULES)
    expect(await leads(code, { 'accept-language': 'de' })).toBe(STORE)
    expect(await leads(code, { 'accept-language': 'pl,de' })).toBe(POLISH)
    expect(await leads(code, { 'accept-language': 'de', 'user-agent': FIREFOX })).toBe(MAIN)
    expect(await pageOf(code, '+')).toContain('It can lead elsewhere, by rules of its owner.')
  })

  test('an imagined scan leads where a real one would, and is not counted', async () => {
    const code = await ada.code({ rules: RULES, scanLimit: 5, endsAt: '2026-12-31T00:00:00Z' })
    const imagine = (scan: object) => ada.make(`/api/qr-codes/${code.id}/try`, scan)
    const polish = { gets: 'destination', url: POLISH, rule: 2 }
    expect(await imagine({ language: 'pl', system: 'iOS' })).toEqual(polish)
    expect(await imagine({ language: 'fr' })).toEqual({ ...polish, url: MAIN, rule: null })
    expect(await imagine({ scan: 6 })).toMatchObject({ gets: 'over', url: null })
    expect(await imagine({ at: '2027-01-01T00:00:00Z' })).toMatchObject({ gets: 'over' })
    const rules = [{ countries: ['PL'], variants: [{ url: STORE }] }]
    const other = { country: 'PL', language: 'pl', rules }
    expect(await imagine(other)).toEqual({ gets: 'destination', url: STORE, rule: 1 })
    const nowhere = ada.post(`/api/qr-codes/${code.id}/try`, { country: 'XX' })
    await expectRefusal(nowhere, 'invalid_input')
    await allCounted(tessera)
    const counted = await tessera.database.db.selectFrom('counted_scans').selectAll().execute()
    expect(counted.filter((row) => row.code_id === code.id)).toEqual([])
  })

  test('a scan has the branch that it took, in every list and file, and main destinations have none', async () => {
    const code = await ada.code({ rules: RULES })
    const branch = code.rules[1]?.variants[0]?.id as string
    for (const language of ['pl', 'pl', 'fr']) await leads(code, { 'accept-language': language })
    const ask = async (call: string) => {
      const answer = await ada.call(`/api/analytics/${call}&qr=${code.id}`)
      return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text()
    }
    const list = { unknown: 1, others: 0, scans: 3 }
    const row = { value: branch, label: branch, scans: 2 }
    expect(await ask('breakdown?facet=branch')).toEqual({ rows: [row], ...list })
    expect(await ask(`figures?branch=${branch}`)).toMatchObject({ scans: 2 })
    expect(await ask('figures?branch=-')).toMatchObject({ scans: 1 })
    const { items } = await ask('scans.json?')
    expect(items.map((scan: Scan) => scan.branch)).toEqual([branch, branch, null])
    const now = await ask(`now?branch=${branch}`)
    expect(now.scans.map((scan: Scan) => scan.branch)).toEqual([branch, branch])
    expect(await ask('scans.csv?')).toContain('Rule 2 · example.com/pl,')
    await ada.change(code.id, { rules: [] })
    expect(await ask('scans.csv?')).toContain('A former rule,')
  })

  test('a variant keeps its id while its rules are sent without one', async () => {
    const code = await ada.code({ rules: RULES })
    const [first, second] = code.rules.map(({ variants }) => variants[0]?.id)
    const same = await ada.change(code.id, { rules: RULES })
    expect(same).toMatchObject({ version: code.version, rules: code.rules })
    const swapped = await ada.change(code.id, { rules: code.rules.toReversed() })
    expect(swapped.rules.map(({ variants }) => variants[0]?.id)).toEqual([second, first])
  })

  test('a plan without rules refuses them, keeps those that it finds, and can take them away', async () => {
    await expectRefusal(eve.patch((await eve.code()).id, { rules: RULES }), 'rules_not_in_plan')
    await subscribe(eve, 'professional')
    const code = await eve.code({ rules: RULES })
    await subscribe(eve, 'professional', 'canceled')
    expect(await leads(code, { 'accept-language': 'pl' })).toBe(POLISH)
    expect((await eve.change(code.id, { name: 'Lapsed', rules: code.rules })).rules).toEqual(
      code.rules,
    )
    expect((await eve.change(code.id, { rules: [] })).rules).toEqual([])
    expect(await leads(code, { 'accept-language': 'pl' })).toBe(MAIN)
    await subscribe(eve, 'starter')
  })

  const leading = { variants: [{ url: MAIN }] }
  const backwards = { from: '2026-02-02', until: '2026-02-01' }
  test.each([
    [{ rules: [{ variants: [{ url: 'javascript:alert(1)' }] }] }, 'rules.0.variants.0.url'],
    [{ rules: [{ variants: [{ url: MAIN, share: 60 }] }] }, 'rules.0.variants'],
    [{ rules: [{ variants: [] }] }, 'rules.0.variants'],
    [{ rules: [{ ...leading, countries: [] }] }, 'rules.0.countries'],
    [{ rules: [{ ...leading, hours: { from: '24:00', until: '1:00' } }] }, 'rules.0.hours.from'],
    [{ rules: [{ ...leading, dates: backwards }] }, 'rules.0.dates.until'],
    [{ rules: [{ ...leading, planet: 'Mars' }] }, 'rules.0'],
    [{ rules: Array(21).fill(leading) }, 'rules'],
    [{ startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }, 'endsAt'],
    [{ scanLimit: 0 }, 'scanLimit'],
    [{ fallbackUrl: 'nowhere' }, 'fallbackUrl'],
  ])('%j is refused at %s', async (change, field) => {
    const call = ada.patch((await ada.draft()).id, change)
    const { fields } = await expectRefusal(call, 'invalid_input')
    expect(Object.keys(fields ?? {})).toContain(field)
  })

  test('our own links are no destination of a rule, nor a fallback', async () => {
    const own = `${tessera.origin}/qr/abc`
    const rules = [{ variants: [{ url: own }] }]
    const call = ada.patch((await ada.code()).id, { fallbackUrl: own, rules })
    const { fields } = await expectRefusal(call, 'invalid_input')
    expect(Object.keys(fields ?? {})).toEqual(['fallbackUrl', 'rules.0.variants.0.url'])
  })

  test('a code starts and ends when its owner says so', async () => {
    const startsAt = '2026-11-28T09:00:00.000Z'
    const endsAt = '2026-11-29T12:00:00.000Z'
    const code = await ada.code({ startsAt, endsAt })
    expect(code).toMatchObject({ startsAt, endsAt, expiresAt: null })
    expect(await leads(code)).toBe(404)
    expect(await pageOf(code)).toContain('This code isn’t active yet')
    tessera.clock.advance(DAY_MS)
    expect(await leads(code)).toBe(MAIN)
    tessera.clock.advance(DAY_MS)
    expect(await leads(code)).toBe(410)
    expect(await pageOf(code)).toContain('This code is no longer active')
    await ada.change(code.id, { fallbackUrl: POLISH })
    expect(await leads(code)).toBe(POLISH)
    await ada.change(code.id, { startsAt: null, endsAt: null, fallbackUrl: null })
    expect(await leads(code)).toBe(MAIN)
  })

  test('a limit counts persons only, and those who came before it', async () => {
    const code = await ada.code()
    expect(await leads(code)).toBe(MAIN)
    await ada.change(code.id, { scanLimit: 3 })
    expect(await leads(code, { 'user-agent': BOT })).toBe(MAIN)
    expect([await leads(code), await leads(code), await leads(code)]).toEqual([MAIN, MAIN, 410])
    expect(await leads(code, { 'user-agent': BOT })).toBe(410)
    expect(await pageOf(code, '+')).toContain('This code is no longer active')
    await ada.change(code.id, { scanLimit: 4 })
    expect(await pageOf(code, '+')).toContain(MAIN)
    expect([await leads(code), await leads(code)]).toEqual([MAIN, 410])
    await ada.change(code.id, { scanLimit: null })
    expect(await leads(code)).toBe(MAIN)
    await ada.change(code.id, { scanLimit: 6 })
    expect([await leads(code), await leads(code)]).toEqual([MAIN, 410])
  })

  test('a limit gives no scan away while the database is moved: the copy would not have its number', async () => {
    const { db } = tessera.database
    const code = await ada.code({ scanLimit: 2 })
    expect(await leads(code)).toBe(MAIN)
    for (const name of ['moving', 'moved'] as const) {
      await setMark(db, name, { at: Date.now() + DAY_MS, value: '' })
      expect(await leads(code)).toBe(503)
      await removeMark(db, name)
    }
    expect([await leads(code), await leads(code)]).toEqual([MAIN, 410])
  })

  test('a rule by the number of scans leads the first ones elsewhere', async () => {
    const rules = [{ scans: { until: 2 }, variants: [{ url: STORE, share: 100 }] }]
    const code = await ada.code({ rules })
    expect([await leads(code), await leads(code), await leads(code)]).toEqual([STORE, STORE, MAIN])
    await allCounted(tessera)
    const rows = (await ledgerOf(tessera.database)).filter((row) => row.code_id === code.id)
    expect(rows).toHaveLength(3)
  })
})

describe.each(serverEngineInCi)('the last allowed scan on %s', (engine) => {
  const database = databaseForBlock(engine)
  const running: ServerProcess[] = []
  const start = async (dataDir = database.dataDir) => {
    const environment = settingsOf(database.location)
    const server = await startProcess({ dataDir, environment })
    running.push(server)
    return server
  }
  afterAll(() => Promise.all(running.map(({ child }) => ended(child, 'SIGKILL'))))

  /** Rounds of 50 scans at once on each of two processes: 50 times 50 in a soak */
  const ROUNDS = times(8, 25)
  /** About half of them */
  const LIMIT = 50 * ROUNDS - 16

  test('is never exceeded by many scans at once, with a process killed between', async () => {
    const { key } = await printCode(database.db, { scan_limit: LIMIT })
    const one = await start()
    // SQLite has one process, which is killed and starts again.
    const other = engine === 'postgres' ? await start(await newFolder()) : one
    const answers: (string | string[] | number | undefined)[] = []
    const scan = ({ origin }: ServerProcess) => led(origin, `/qr/${key}`).catch(() => 'no answer')
    const rounds = async (servers: ServerProcess[], count: number) => {
      for (let round = 0; round < count; round++) {
        const scans = servers.flatMap((server) => Array.from({ length: 50 }, () => scan(server)))
        answers.push(...(await Promise.all(scans)))
      }
    }
    await rounds([one, other], 3)
    setTimeout(() => one.child.kill('SIGKILL'), 20)
    await rounds([one, other], 1)
    await ended(one.child, 'SIGKILL')
    const again = await start()
    await rounds([again, engine === 'postgres' ? other : again], ROUNDS - 4)
    const count = (wanted: unknown) => answers.filter((each) => each === wanted).length
    expect(count(MAIN)).toBeLessThanOrEqual(LIMIT)
    // A crash loses at most the scans that were under way.
    expect(count(MAIN)).toBeGreaterThan(LIMIT - 200)
    expect(count(MAIN) + count(410) + count('no answer')).toBe(100 * ROUNDS)
    expect(count(410)).toBeGreaterThan(0)
  })
})
