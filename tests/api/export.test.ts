import { once } from 'node:events'
import { request } from 'node:http'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../src/contract/accounts/account-settings.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { Logo } from '../../src/contract/pictures/artwork.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { PLAIN_ARTWORK } from '../../src/qr/artwork/artwork.ts'
import { ownCode } from '../../src/server/codes/codes-store.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { decodePicture } from '../support/decode.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { mailTo, subjectsTo } from '../support/mailbox.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const EXPORT = '/api/account/export'
const EXPORT_MAIL = 'Your links and data were downloaded'
const NOON = Date.parse('2026-03-01T12:00:00Z')

describe.each(oneEngineInCi)('an export on %s', (engine) => {
  const logged: string[] = []
  const logTo = { write: (line: string) => logged.push(line) }
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, logTo })
  const owner = enrolForEach(tessera, 'professional')

  async function archive(person: Person) {
    const response = await person.call(EXPORT)
    expect(response.status).toBe(200)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const text = (name: string) => Buffer.from(files[name] ?? []).toString()
    return {
      headers: response.headers,
      files,
      text,
      json: (name: string) => JSON.parse(text(name)),
    }
  }

  const scan = (code: QrCode, day: number) => ({ code_id: code.id, at: NOON + day * DAY_MS })

  test('gives every link with all its names, in the table and for each server', async () => {
    const menu = await owner.code({ name: '=Menu', vanityUrl: `menu-${engine}` })
    await owner.change(menu.id, { vanityUrl: `card-${engine}` })
    const plain = await owner.code({
      name: 'Plain',
      url: 'https://example.com/?a={b}$c',
      tags: ['=Spring'],
    })
    const paused = await owner.code({ name: 'Paused' })
    await owner.change(paused.id, { isActive: false })
    const rules = [{ languages: ['pl'], variants: [{ url: 'https://example.com/pl', share: 100 }] }]
    await owner.change(plain.id, { rules })
    const hidden = await owner.code({ url: 'https://example.com/hidden', password: 'sesame' })
    await recordPast(tessera.database.location, [scan(menu, 0), scan(menu, 0), scan(menu, 1)])

    const { text, json } = await archive(owner)
    expect(json('data/tags.json')).toMatchObject([{ name: '=Spring', codes: 1 }])
    const link = (name: string) => `${tessera.config.publicUrl}/qr/${name}`
    const created = expect.stringMatching(/^2\d{3}-/)
    const lines = text('links.csv')
      .trimEnd()
      .split('\r\n')
      // The design comes last.
      .map((line) => line.split(',').slice(0, 10))
    expect(lines[0]?.[0]).toBe('\uFEFFShort link')
    const names = [link(menu.shortCode), link(`card-${engine}`), link(`menu-${engine}`)]
    expect(lines.slice(1)).toEqual([
      [...names, menu.url, "'=Menu", '3', created, 'active', '', ''],
      [link(plain.shortCode), '', '', plain.url, 'Plain', '0', created, 'active', "'=Spring", ''],
      [link(paused.shortCode), '', '', paused.url, 'Paused', '0', created, 'inactive', '', ''],
      [link(hidden.shortCode), '', '', hidden.url, hidden.name, '0', created, 'active', '', ''],
    ])
    for (const name of ['nginx-map.conf', 'Caddyfile', '_redirects']) {
      for (const known of [menu.shortCode, `card-${engine}`, `menu-${engine}`, plain.shortCode]) {
        expect(text(name)).toContain(`/qr/${known}`)
      }
      expect(text(name)).toContain('https://example.com/?a=%7Bb%7D$')
      expect(text(name)).not.toContain(paused.shortCode)
      expect(text(name)).not.toContain('example.com/hidden')
      expect(text(name)).toContain(`# /qr/${hidden.shortCode} asks for a password`)
      expect(text(name)).toContain(`# /qr/${plain.shortCode} has rules`)
    }
    expect(text('_redirects')).toContain(`/QR/${menu.shortCode.toUpperCase()} ${menu.url} 302`)
  })

  test('gives every code’s picture under a name that is safe and its own', async () => {
    const codes = []
    for (const name of ['Menu', 'menu', '../../etc/passwd', 'CON', 'Käse 🧀']) {
      codes.push(await owner.code({ name }))
    }
    const { files, headers } = await archive(owner)
    const pictures = Object.keys(files).filter((name) => name.startsWith('pictures/'))
    expect(pictures).toHaveLength(2 * codes.length)
    expect(new Set(pictures.map((name) => name.toLowerCase())).size).toBe(pictures.length)
    expect(pictures.join()).not.toMatch(/\.\.|\/con\.|etc\//i)
    expect(headers.get('x-total-files')).toBe(String(Object.keys(files).length))
    for (const { shortCode } of codes) {
      const [png, svg] = ['png', 'svg'].map((format) =>
        pictures.find((name) => name.endsWith(`(${shortCode}).${format}`)),
      )
      const link = `${tessera.config.publicUrl}/qr/${shortCode}`
      expect(await decodePicture(files[png ?? ''] ?? new Uint8Array())).toBe(link)
      expect(Buffer.from(files[svg ?? ''] ?? []).toString()).toContain('<svg')
    }
  })

  test('gives the account, its plan, codes, bin, scans by day and history as JSON', async () => {
    const code = await owner.code({ vanityUrl: `json-${engine}` })
    const gone = await owner.code({ name: 'Gone' })
    await owner.remove(gone.id)
    await recordPast(tessera.database.location, [scan(code, 0), scan(code, 0), scan(code, 2)])
    const mails = { every: 'weekly', timeZone: 'Europe/Berlin' }
    await owner.ask('/api/analytics/mails', { method: 'PUT', body: mails })
    const shown = { shownName: 'Luna', shownContact: '030 1234' }
    await owner.amend('/api/workspace', shown)
    const key = {
      id: `key-${engine}`,
      workspace_id: owner.workspaceId,
      name: 'Till',
      scope: 'read',
    }
    const hidden = { hash: 'the hash of the key', start: 'tsk_abcd', made_at: NOON }
    const keys = tessera.database.db.insertInto('api_keys')
    await keys.values({ ...key, ...hidden, ends_at: null, used_at: null }).execute()
    const { json, text } = await archive(owner)
    expect(json('data/account.json')).toMatchObject({
      id: owner.id,
      email: owner.email,
      figureMails: 'weekly',
      shownOnCodes: { name: 'Luna', contact: '030 1234' },
      apiKeys: [{ id: key.id, name: 'Till', scope: 'read', start: 'tsk_abcd' }],
    })
    expect(text('data/account.json')).not.toContain(hidden.hash)
    expect(json('data/plan.json')).toMatchObject({ tier: 'professional', status: 'active' })
    expect(json('data/codes.json')).toEqual([{ ...code, formerPaths: [], printChecks: [] }])
    expect(json('data/deleted-codes.json')).toMatchObject([{ id: gone.id, name: 'Gone' }])
    const days = [
      { date: '2026-03-01', scans: 2 },
      { date: '2026-03-03', scans: 1 },
    ]
    const { id, shortCode } = code
    expect(json('data/scans-by-day.json')).toEqual([{ id, shortCode, days }])
    const [newest, ...earlier] = json('data/history.json') as { event: string }[]
    expect(newest).toMatchObject({ event: 'exported', actor: 'user', address: '127.0.0.x' })
    const events = ['contact-changed', 'notices-changed', 'code-deleted', 'code-made', 'code-made']
    expect(earlier.map(({ event }) => event)).toEqual(events)
  })

  test('gives every logo, and codes that have it with it', async () => {
    const disc =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4" fill="#b91c1c"/></svg>'
    const path = `/api/logos?name=${encodeURIComponent('../Our.svg')}`
    const sent = await owner.send(path, disc, 'image/svg+xml')
    const logo = (await sent.json()) as Logo
    const place = { id: logo.id, size: 7, plate: 'square', margin: 0.5 } as const
    const artwork = { ...PLAIN_ARTWORK, modules: 'dots', logo: place } as const
    const code = await owner.code({ ecc: 'H', artwork })
    const { files, headers, json, text } = await archive(owner)
    expect(headers.get('x-total-files')).toBe(String(Object.keys(files).length))
    const names = Object.keys(files).filter((name) => name.startsWith('logos/'))
    expect(names).toEqual([expect.stringMatching(/^logos\/[^/]*Our \([\w-]{8}\)\.png$/)])
    expect(Buffer.from(files[names[0] ?? ''] ?? []).toString('latin1', 1, 4)).toBe('PNG')
    expect(json('data/codes.json')).toMatchObject([{ id: code.id, artwork }])
    const svg = Object.keys(files).find((name) => name.endsWith(`(${code.shortCode}).svg`)) ?? ''
    expect(text(svg)).toContain('<image ')
  })

  test('is mailed to the owner, in case a stranger made it', async () => {
    const owner = await newPerson(tessera)
    await archive(owner)
    const text = await mailTo(tessera, owner.email, EXPORT_MAIL)
    expect(text).toContain('IP address: 127.0.0.x')
  })

  test('holds nothing of another account, and works without a code', async () => {
    const [owner, other] = [await newPerson(tessera), await newPerson(tessera)]
    const code = await other.code({ name: 'Secret' })
    const { files, json } = await archive(owner)
    const everything = Object.values(files)
      .map((bytes) => Buffer.from(bytes).toString())
      .join()
    for (const theirs of [other.id, other.email, code.id, code.shortCode, 'Secret']) {
      expect(everything).not.toContain(theirs)
    }
    expect(json('data/codes.json')).toEqual([])
    expect(Object.keys(files).some((name) => name.startsWith('pictures/'))).toBe(false)
  })

  test('a list that is longer than one part is whole', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const first = await owner.code({ name: 'First' })
    const { db } = tessera.database
    const row = await ownCode(db, owner.workspaceId, first.id)
    const more = Array.from({ length: 120 }, (_, index) => {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      return { ...row, id, short_code: `part${index}${engine}`, name: `Code ${index}` }
    })
    await db.insertInto('codes').values(more).execute()
    const { files, text, json } = await archive(owner)
    expect(json('data/codes.json')).toHaveLength(121)
    expect(text('links.csv').trimEnd().split('\r\n')).toHaveLength(122)
    expect(Object.keys(files).filter((name) => name.endsWith('.png'))).toHaveLength(121)
  })

  test('for a client that hangs up is not made to its end, and delays no other', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    for (let made = 0; made < 5; made++) await owner.code()
    const call = request(tessera.origin + EXPORT, { headers: { cookie: owner.cookie } })
    call.end()
    const [response] = await once(call, 'response')
    await once(response, 'readable')
    call.destroy()
    const { files } = await archive(owner)
    expect(Object.keys(files).filter((name) => name.endsWith('.svg'))).toHaveLength(5)
    await eventually(() => logged.some((line) => line.includes(EXPORT)))
    expect(logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
  })

  test('is given to a program with a key that reads, which is counted and in the history, without a mail', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const { name } = await owner.code()
    const robot = await newProgram(owner, { scope: 'read' })
    const { text } = await archive(robot)
    expect(text('links.csv')).toContain(name)
    const [last] = await owner.ask<HistoryEntry[]>('/api/account/history')
    expect(last).toMatchObject({ event: 'exported', device: 'API key “Robot”' })
    expect(await subjectsTo(tessera, owner.email)).not.toContain(EXPORT_MAIL)
    const { db } = tessera.database
    const counts = db.updateTable('limit_counts').where('who', '=', owner.workspaceId)
    await counts.where('name', '=', 'exports').set({ count: 20 }).execute()
    await expectRefusal(robot.call(EXPORT), 'rate_limited')
  })

  test('needs a session, refuses other sites, and is counted', async () => {
    const owner = await newPerson(tessera)
    expect((await fetch(tessera.origin + EXPORT)).status).toBe(401)
    const foreign = await owner.call(EXPORT, { headers: { 'sec-fetch-site': 'cross-site' } })
    await expectRefusal(foreign, 'forbidden')
    for (let time = 0; time < 20; time++) await (await owner.call(EXPORT)).arrayBuffer()
    await expectRefusal(owner.call(EXPORT), 'rate_limited')
  })
})
