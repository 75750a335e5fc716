import { deflateSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes.ts'
import {
  cellAt,
  grids,
  layOutSheet,
  type PaperName,
  papers,
  perPage,
  placesIn,
} from '../../src/contract/label-sheets.ts'
import type { Logo } from '../../src/contract/pictures/logos.ts'
import type { LabelsCall } from '../../src/contract/series.ts'
import { frameShapes, PLAIN_ARTWORK } from '../../src/qr/artwork/artwork.ts'
import { decodePicture } from '../support/decode.ts'
import { pdfSheets } from '../support/pdf-sheets.ts'
import { newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { inTurn } from '../support/soak.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

let tessera: Tessera
let owner: Person
let codes: QrCode[]
beforeAll(async () => {
  tessera = await startTessera({ checks: true })
  owner = await newPerson(tessera, 'unlimited')
  codes = await series(Array.from({ length: 20 }, (_, index) => `Table ${index + 1}`))
})
afterAll(() => tessera.stop())

const series = (names: string[], look = {}) => {
  const rows = names.map((name) => ({ name, url: 'https://example.com/menu' }))
  return owner.ask<QrCode[]>('/api/qr-codes/bulk', { method: 'POST', body: { rows, look } })
}
const idsOf = (some: readonly QrCode[]) => some.map(({ id }) => id)
const labels = (body: LabelsCall, person = owner) =>
  person.call('/api/qr-codes/labels', { method: 'POST', body })
const pictures = (ids: string[], person = owner) =>
  person.call('/api/qr-codes/pictures', { method: 'POST', body: { ids } })
const bytesOf = async (response: Response) => {
  if (!response.ok) throw new Error(await response.text())
  return new Uint8Array(await response.arrayBuffer())
}
const linkOf = ({ shortCode }: QrCode) => `${tessera.origin}/qr/${shortCode}`

/** In CI each grid on one of the papers, in a soak on both. */
const sheets = grids.flatMap((grid, index) =>
  inTurn<PaperName>(['a4', 'letter'], index).map(
    (paper) => [`${papers[paper].name}, ${grid.columns} × ${grid.rows}`, paper, grid] as const,
  ),
)

test.each(sheets)(
  '20 labels on %s: each at its place within 0.1 mm, each with its own code',
  async (_case, paper, { columns, rows }) => {
    const sheet = { paper, columns, rows }
    const response = await labels({ ids: idsOf(codes), ...sheet })
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const pages = await pdfSheets(await bytesOf(response))
    expect(pages).toHaveLength(Math.ceil(20 / perPage(sheet)))
    expect(response.headers.get('x-total-files')).toBe(String(pages.length))
    const layout = layOutSheet(sheet)
    const places = placesIn(layout)
    for (const page of pages) {
      expect(page.width).toBeCloseTo(papers[paper].width, 2)
      expect(page.height).toBeCloseTo(papers[paper].height, 2)
    }
    for (const [index, code] of codes.entries()) {
      const page = pages[Math.floor(index / perPage(sheet))]
      const cell = cellAt(sheet, layout, index % perPage(sheet))
      const [left, top] = [cell.x + places.x, cell.y + places.top]
      const place = { left, top, right: left + layout.code, bottom: top + layout.code }
      expect(await page?.codeIn(place)).toBe(linkOf(code))
      // A symbol of 29 or 33 modules with a quiet zone of 4 on all sides.
      const ink = page?.inkIn(place)
      const width = (ink?.right ?? 0) - (ink?.left ?? 0)
      const modules = [29, 33].find(
        (size) => Math.abs((layout.code * size) / (size + 8) - width) < 0.1,
      )
      const quiet = (4 * layout.code) / ((modules ?? 0) + 8)
      for (const [edge, wanted] of [
        [ink?.left, place.left + quiet],
        [ink?.top, place.top + quiet],
        [ink?.right, place.right - quiet],
        [ink?.bottom, place.bottom - quiet],
      ]) {
        expect(Math.abs((edge ?? 0) - (wanted ?? 0))).toBeLessThan(0.1)
      }
      // The name and the link below it, in the middle of the cell and inside its lines.
      const inner = { left: cell.x + 1, right: cell.x + layout.cellWidth - 1 }
      const below = { ...inner, top: cell.y + places.name, bottom: cell.y + layout.cellHeight - 1 }
      const text = page?.inkIn(below)
      const middle = ((text?.left ?? 0) + (text?.right ?? 0)) / 2
      expect(Math.abs(middle - (cell.x + layout.cellWidth / 2))).toBeLessThan(0.5)
      expect(text?.left).toBeGreaterThan(inner.left + 0.5)
    }
  },
)

test('labels keep the look of their codes', async () => {
  const rounded = await series(['Rounded'], {
    style: 'rounded',
    foregroundColor: '#1e40af',
    backgroundColor: '#f0f9ff',
  })
  const dark = await series(['Dark'], { foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
  const both = [...rounded, ...dark]
  const { sheet, place } = onlyPlace()
  const pages = await pdfSheets(await bytesOf(await labels({ ids: idsOf(both), ...sheet })))
  expect(await Promise.all(pages.map((page) => page.codeIn(place)))).toEqual(both.map(linkOf))
})

/** The same place on each page of labels that have a page of their own. */
function onlyPlace() {
  const sheet = { paper: 'a4', columns: 1, rows: 1 } as const
  const layout = layOutSheet(sheet)
  const places = placesIn(layout)
  const [left, top] = [10 + places.x, 10 + places.top]
  return { sheet, place: { left, top, right: left + layout.code, bottom: top + layout.code } }
}

test('labels with frames and logos are read, and a frame stays apart from the name below it', async () => {
  const disc =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4" fill="#b91c1c"/></svg>'
  const sent = await fetch(`${tessera.origin}/api/logos`, {
    method: 'POST',
    headers: { cookie: owner.cookie, origin: tessera.origin, 'content-type': 'image/svg+xml' },
    body: disc,
  })
  const logo = { id: ((await sent.json()) as Logo).id, size: 7, plate: 'round', margin: 0.5 }
  const looks = frameShapes.map((shape, index) => {
    const frame = {
      shape,
      text: 'Scan me · Меню',
      size: 'large',
      color: '#111827',
      textColor: '#ffffff',
    }
    return { ...PLAIN_ARTWORK, frame, ...(index % 2 ? { modules: 'dots' } : { logo }) }
  })
  const framed: QrCode[] = []
  for (const artwork of looks) framed.push(...(await series(['Menu'], { ecc: 'H', artwork })))
  const { sheet, place } = onlyPlace()
  const pages = await pdfSheets(await bytesOf(await labels({ ids: idsOf(framed), ...sheet })))
  expect(await Promise.all(pages.map((page) => page.codeIn(place)))).toEqual(framed.map(linkOf))
  const gap = 0.02 * (place.bottom - place.top)
  for (const page of pages) {
    const ink = page.inkIn(place)
    expect(ink?.bottom).toBeLessThan(place.bottom - gap)
    expect(ink?.top).toBeGreaterThan(place.top + gap)
  }
  // Small ones, as many labels for a sheet of stickers have.
  const small = { paper: 'a4', columns: 4, rows: 6 } as const
  const [page] = await pdfSheets(await bytesOf(await labels({ ids: idsOf(framed), ...small })))
  const layout = layOutSheet(small)
  const places = placesIn(layout)
  for (const [index, code] of framed.entries()) {
    const cell = cellAt(small, layout, index)
    const [left, top] = [cell.x + places.x, cell.y + places.top]
    const at = { left, top, right: left + layout.code, bottom: top + layout.code }
    expect([index, await page?.codeIn(at)]).toEqual([index, linkOf(code)])
  }
})

test('a code that our test scanner does not read is refused by its name, and no label is given out', async () => {
  const [pale] = await series(['Pale'], { foregroundColor: '#fefefe', backgroundColor: '#ffffff' })
  for (const ask of [(ids: string[]) => labels({ ids }), (ids: string[]) => pictures(ids)]) {
    const refused = await refusal(await ask([...idsOf(codes.slice(0, 2)), pale?.id ?? '']))
    expect(refused.code).toBe('invalid_input')
    expect(Object.keys(refused.fields ?? {})).toEqual(['ids.2'])
    expect(refused.message).toContain('“Pale” was not read by our test scanner')
  }
})

/** A bar of ink, 80 × 8 pixels. */
const bar = { width: 80, height: 8, ink: deflateSync(Buffer.alloc(80, 0xff)).toString('base64') }

test('a name in letters of western Europe is written, and another one comes as a picture or is refused', async () => {
  const [western, greek] = await series(['Crème brûlée – 12 €', 'Τραπέζι 1'])
  expect((await labels({ ids: [western?.id ?? ''] })).status).toBe(200)
  const refused = await refusal(await labels({ ids: [greek?.id ?? ''] }))
  expect(refused.message).toContain('“Τραπέζι 1” has letters')
  const sheet = { paper: 'a4', columns: 4, rows: 5 } as const
  const drawnNames = { [greek?.id ?? '']: bar }
  const [page] = await pdfSheets(
    await bytesOf(await labels({ ids: [greek?.id ?? ''], ...sheet, drawnNames })),
  )
  const layout = layOutSheet(sheet)
  const places = placesIn(layout)
  const name = {
    left: 11,
    right: 10 + layout.cellWidth - 1,
    top: 10 + places.name,
    bottom: 10 + places.link,
  }
  const ink = page?.inkIn(name)
  // As wide as its line, ten times as wide as high.
  expect((ink?.right ?? 0) - (ink?.left ?? 0)).toBeCloseTo(layout.line, 0)
  expect((ink?.bottom ?? 0) - (ink?.top ?? 0)).toBeCloseTo(layout.line / 10, 0)
})

test.each([
  ['too few rows', { ...bar, height: 9 }],
  ['too many rows', { ...bar, height: 7 }],
  ['no deflated bytes', { ...bar, ink: 'AAAA' }],
  [
    'more than it says',
    { ...bar, ink: deflateSync(Buffer.alloc(20_000_000)).toString('base64').slice(0, 40_000) },
  ],
])('a name’s picture with %s is refused', async (_case, drawn) => {
  const [code] = codes
  const refused = await refusal(
    await labels({ ids: [code?.id ?? ''], drawnNames: { [code?.id ?? '']: drawn } }),
  )
  expect(refused.code).toBe('invalid_input')
})

test('a grid whose codes would be too small is refused', async () => {
  const refused = await refusal(await labels({ ids: idsOf(codes), columns: 10, rows: 14 }))
  expect(refused.fields).toEqual({ columns: 'These labels are too small to be scanned' })
})

test('one zip has a PNG and an SVG of each code, named after it, and numbers equal names', async () => {
  const more = await series(['Bar', 'bar', 'Bar', 'A/B', 'Bar (2)'])
  const response = await pictures(idsOf(more))
  expect(response.headers.get('content-disposition')).toContain('qr_codes.zip')
  const files = unzipSync(await bytesOf(response))
  const stems = ['Bar', 'bar (2)', 'Bar (3)', 'A B', 'Bar (2) (2)']
  expect(Object.keys(files)).toEqual(stems.flatMap((stem) => [`${stem}.png`, `${stem}.svg`]))
  for (const [index, code] of more.entries()) {
    expect(await decodePicture(files[`${stems[index]}.png`] ?? new Uint8Array())).toBe(linkOf(code))
  }
})

test('nobody gets a label or a picture of another’s code, or of one in the bin', async () => {
  const stranger = await newPerson(tessera, 'unlimited')
  const own = await stranger.code()
  const [binned] = await series(['Gone'])
  await owner.call(`/api/qr-codes/${binned?.id}`, { method: 'DELETE' })
  for (const [person, ids] of [
    [stranger, [own.id, codes[0]?.id ?? '']],
    [owner, [binned?.id ?? '']],
    [owner, ['nonsense']],
    [owner, [(await owner.draft()).id]],
  ] as [Person, string[]][]) {
    expect((await refusal(await labels({ ids }, person))).code).toBe('code_not_found')
    expect((await refusal(await pictures(ids, person))).code).toBe('code_not_found')
  }
})

test('a hundred labels of one code are a hundred labels, and a thousand are the most', async () => {
  const id = codes[0]?.id ?? ''
  const pages = await pdfSheets(
    await bytesOf(await labels({ ids: Array(25).fill(id), columns: 3, rows: 4 })),
  )
  expect(pages).toHaveLength(3)
  expect((await refusal(await labels({ ids: Array(1_001).fill(id) }))).fields).toEqual({
    ids: 'Choose at most 1,000 QR codes',
  })
})
