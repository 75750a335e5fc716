import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { textOfCell } from '#contract/csv.ts'
import { plainText } from '#contract/zod.ts'
import { moduleShapes, PLAIN_ARTWORK, plates } from '#qr/artwork/artwork.ts'
import { eccLevels, styles } from '#qr/symbol/look.ts'
import { designCell, type QrCode } from '../../src/contract/codes/codes.ts'
import type { ImportRows } from '../../src/contract/imports.ts'
import { engines } from '../support/engines.ts'
import { importFile, publishFile, sendFile } from '../support/import-file.ts'
import { leadsTo } from '../support/link.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolPerson, newPair, newPerson, type Person } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { seed } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const PATH = '/api/qr-codes/export.csv'

type Row = Record<string, string>

async function rowsOf(response: Response): Promise<Row[]> {
  expect(response.status).toBe(200)
  const rows = parse(await response.text(), { bom: true, columns: true }) as Row[]
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([title, cell]) => [title, textOfCell(cell)])),
  )
}

describe.each(engines)('the table of codes on %s', (engine) => {
  const tessera = runTessera({ engine, now: '2026-11-01T10:00:00Z' })
  const owner = enrolPerson(tessera, 'unlimited')
  let menu: QrCode
  let bar: QrCode
  const names = async (query = '') =>
    (await rowsOf(await owner.call(PATH + query))).map(({ Name }) => Name)
  const chosen = (ids: string[], person = owner) =>
    person.call(PATH, { method: 'POST', body: { ids } })

  beforeAll(async () => {
    const more = { vanityUrl: 'our-menu', tags: ['Spring', 'Bar'] }
    menu = await owner.code({ name: '=Menu, "2"', url: 'https://example.com/=1', ...more })
    tessera.clock.set('2026-11-02T10:00:00Z')
    bar = await owner.code({ name: 'Bar', tags: ['Bar'], isActive: false })
    const at = tessera.clock.now().getTime()
    await recordPast(tessera.database.location, [
      { code_id: menu.id, at, visitor: 'ada' },
      { code_id: menu.id, at: at + 1_000, visitor: 'ada' },
      { code_id: menu.id, at: at + 2_000, visitor: 'eve' },
      { code_id: menu.id, at: at + 3_000, visitor: null, class: 'bot' },
    ])
  })

  test('has a row for each code with its links, tags, scans and visitors', async () => {
    const response = await owner.call(PATH)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const wanted = 'attachment; filename="tessera-qr-codes-2026-11-02.csv"'
    expect(response.headers.get('content-disposition')).toBe(wanted)
    const { publicUrl } = tessera.config
    expect(await rowsOf(response)).toEqual([
      {
        'Short link': `${publicUrl}/qr/${bar.shortCode}`,
        'Custom URL': '',
        Name: 'Bar',
        Destination: 'https://example.com/menu',
        Tags: 'Bar',
        Scans: '0',
        Visitors: '0',
        Created: bar.createdAt,
        Status: 'inactive',
        'Former custom URLs': '',
        'External ID': '',
        Design: designCell(bar),
      },
      {
        'Short link': `${publicUrl}/qr/${menu.shortCode}`,
        Name: '=Menu, "2"',
        'Custom URL': `${publicUrl}/qr/our-menu`,
        Destination: 'https://example.com/=1',
        Tags: 'Bar, Spring',
        Scans: '3',
        Visitors: '2',
        Status: 'active',
        Created: menu.createdAt,
        'Former custom URLs': '',
        'External ID': '',
        Design: designCell(menu),
      },
    ])
    expect(await (await owner.call(PATH)).text()).toContain(`"'=Menu, ""2"""`)
  })

  test('has the codes that a list shows, in its order', async () => {
    expect(await names('?sort=created')).toEqual(['=Menu, "2"', 'Bar'])
    expect(await names('?sort=-scans')).toEqual(['=Menu, "2"', 'Bar'])
    expect(await names('?tag=spring')).toEqual(['=Menu, "2"'])
    expect(await names('?status=inactive')).toEqual(['Bar'])
    expect(await names('?q=nothing')).toEqual([])
  })

  test('has chosen codes in their order, and no foreign ones', async () => {
    const rows = await rowsOf(await chosen([menu.id, bar.id, menu.id]))
    expect(rows.map(({ Name }) => Name)).toEqual(['=Menu, "2"', 'Bar'])
    expect(await rowsOf(await chosen([menu.id], await newPerson(tessera)))).toEqual([])
    expect((await chosen(['x'])).status).toBe(404)
    expect((await chosen([])).status).toBe(422)
  })

  test('has all codes of a long list once, and a key that may read is enough', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({
      name: `Table ${index}`,
      url: 'https://example.com',
    }))
    const other = await newPerson(tessera, 'unlimited')
    await other.make('/api/qr-codes/bulk', { rows })
    const program = await newProgram(other, { scope: 'read' })
    const found = await rowsOf(await program.call(PATH))
    expect(new Set(found.map(({ Name }) => Name)).size).toBe(250)
  })

  test('of 300 codes of every kind is the same once another account has imported it', async () => {
    const [one, other] = await newPair(tessera, 'unlimited')
    const picture = await sharp({ create: PLAIN_PICTURE }).png().toBuffer()
    const logo = async (person: Person) =>
      (await person.send('/api/logos', picture, 'image/png')).json()
    const { id: logoId } = (await logo(one)) as { id: string }
    const withLogo = { ...PLAIN_ARTWORK, logo: { id: logoId, size: 9, plate: plates[0] } }
    const rows = fc.sample(anyCode(withLogo), { numRuns: 300, seed }).map((row, index) => ({
      ...row,
      artwork: index === 0 ? withLogo : row.artwork,
      vanityUrl: index % 3 === 0 ? `kept-${index}` : null,
      externalId: index % 4 === 0 ? `${row.externalId}${index}` : null,
    }))
    const body = { rows, tags: ['All'] }
    const made = await one.make<QrCode[]>('/api/qr-codes/bulk', body)
    for (const [index, { id }] of made.slice(0, 40).entries()) {
      if (index % 3 === 0) await one.change(id, { vanityUrl: `newer-${index}` })
      if (index % 5 === 0) await one.change(id, { vanityUrl: `newest-${index}`, isActive: false })
    }
    const table = async (person: Person) =>
      (await (await person.call(PATH)).text()).replace(/2\d{3}-\d\d-\d\dT[\d:.]+Z/g, 'DAY')
    const before = await table(one)
    const file = await (await one.call(PATH)).text()

    const named = await sendFile(other, file)
    expect(named).toMatchObject({ format: 'tessera', rows: 300, problems: 0, losses: 300 })
    const [first] = (await other.ask<ImportRows>(`/api/imports/${named.id}/rows`)).items
    expect(first?.losses).toEqual([
      `Its short link “${made[0]?.shortCode}” is taken`,
      'Its former custom URL “kept-0” is taken',
      'Its former custom URL “newer-0” is taken',
      'Its logo isn’t in your account: upload it first to keep it',
    ])

    // An empty server
    const { db } = tessera.database
    const ids = made.map(({ id }) => id)
    await db.deleteFrom('paths').where('code_id', 'in', ids).execute()
    await db.deleteFrom('codes').where('id', 'in', ids).execute()
    await logo(other)
    expect(await importFile(other, file)).toMatchObject({ losses: 0, lostPaths: 0, done: 300 })
    expect(await table(other)).toBe(before)
    // A former path of a code that is paused
    expect(await leadsTo(tessera, 'kept-0')).toBe(410)
  })

  test('settles names and external IDs beside all rows of a file, and again when a row or the plan changes', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const header = 'Name,Destination,Custom URL,Short link,Former custom URLs,External ID'
    const file = [
      header,
      `A,https://a.com,,,late-${engine} old-${engine},x`,
      `B,https://b.com,late-${engine},,,x`,
      `C,https://c.com,,old-${engine},,`,
    ].join('\n')
    const { id } = await sendFile(person, file, { format: 'tessera' })
    const losses = async () => {
      const { items } = await person.ask<ImportRows>(`/api/imports/${id}/rows`)
      return items.map((row) => row.losses)
    }
    const lost = [
      [`Its former custom URL “late-${engine}” is taken`],
      ['Another QR code has its external ID “x”'],
      [`Its short link “old-${engine}” can’t be kept`],
    ]
    expect(await losses()).toEqual(lost)
    const body = { name: 'Bar' }
    await person.amend(`/api/imports/${id}/rows/3`, body)
    expect(await losses()).toEqual(lost)
    const plans = tessera.database.db.deleteFrom('subscriptions')
    await plans.where('workspace_id', '=', person.workspaceId).execute()
    expect((await publishFile(person, id, { otherPaths: true })).status).toBe(202)
    await tessera.app.importsIdle()
    const made = await person.ask<QrCode[]>('/api/qr-codes')
    expect(made.map(({ name, externalId }) => [name, externalId])).toEqual(
      expect.arrayContaining([
        ['A', 'x'],
        ['Bar', null],
      ]),
    )
    expect(await leadsTo(tessera, `old-${engine}`)).toBe(404)
  })
})

const PLAIN_PICTURE = { width: 40, height: 40, channels: 3, background: '#1e40af' } as const

const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter((value) => value === value.trim() && plainText.min(1).safeParse(value).success)
const anyCode = (withLogo: object) =>
  fc.record({
    name: text(60),
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    tags: fc.uniqueArray(fc.constantFrom('=Spring', 'Bar|', 'Ä;b', "'x"), { maxLength: 3 }),
    externalId: text(20),
    isActive: fc.boolean(),
    passQuery: fc.boolean(),
    style: fc.constantFrom(...styles),
    foregroundColor: fc.constantFrom('#000000', '#1e40af'),
    ecc: fc.constantFrom(...eccLevels),
    compact: fc.boolean(),
    artwork: fc.constantFrom(null, { ...PLAIN_ARTWORK, modules: moduleShapes[0] }, withLogo),
  })
