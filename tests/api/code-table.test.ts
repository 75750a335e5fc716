import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { textOfCell } from '#contract/csv.ts'
import type { QrCode } from '../../src/contract/codes.ts'
import type { ImportRows } from '../../src/contract/imports.ts'
import { engines } from '../support/engines.ts'
import { sendFile } from '../support/import-file.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
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
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="tessera-qr-codes-2026-11-02.csv"',
    )
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
    await other.ask('/api/qr-codes/bulk', { method: 'POST', body: { rows } })
    const program = await newProgram(other, { scope: 'read' })
    const found = await rowsOf(await program.call(PATH))
    expect(new Set(found.map(({ Name }) => Name)).size).toBe(250)
  })

  test('is a file that another account imports as it was, with every sign in its texts', async () => {
    const other = await newPerson(tessera, 'unlimited')
    const body = await (await owner.call(PATH)).text()
    const { id, ...found } = await sendFile(other, body)
    expect(found).toMatchObject({ format: 'tessera', rows: 2, problems: 0 })
    const { items } = await other.ask<ImportRows>(`/api/imports/${id}/rows`)
    expect(items.map(({ name, url, tags }) => ({ name, url, tags }))).toEqual([
      { name: bar.name, url: bar.url, tags: ['Bar'] },
      { name: menu.name, url: menu.url, tags: ['Bar', 'Spring'] },
    ])
    // The paths are taken by the codes that the file is of.
    expect(items.map(({ lostPath }) => lostPath !== null)).toEqual([true, true])
  })
})
