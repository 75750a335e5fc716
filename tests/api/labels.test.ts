import { deflateSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { averyNames } from '../../src/contract/labels/avery-sheets.ts'
import { type CaptionKind, captionKinds } from '../../src/contract/labels/label-layout.ts'
import { gridSheet, grids, paperNames, perPage } from '../../src/contract/labels/label-sheets.ts'
import { type LabelsCall, labelsAsked, sheetOf } from '../../src/contract/labels/labels-asked.ts'
import type { Logo } from '../../src/contract/pictures/artwork.ts'
import { frameShapes, PLAIN_ARTWORK } from '../../src/qr/artwork/artwork.ts'
import { decodePicture } from '../support/decode.ts'
import { placesOn } from '../support/label-places.ts'
import { type PdfSheet, type Place, pdfSheets } from '../support/pdf-sheets.ts'
import { enrolPerson, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { someOf, times } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

/** Each is checked by the test scanner before it is printed. */
const LABELS = times(5, 20)

const tessera = runTessera({ checks: true })
const owner = enrolPerson(tessera, 'unlimited')
let codes: QrCode[]
beforeAll(async () => {
  codes = await series(Array.from({ length: LABELS }, (_, index) => `Table ${index + 1}`))
})

const series = (names: string[], look = {}) => {
  const rows = names.map((name) => ({ name, url: 'https://example.com/menu' }))
  return owner.make<QrCode[]>('/api/qr-codes/bulk', { rows, look })
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

const own = (sizes: Partial<NonNullable<LabelsCall['sizes']>>): Partial<LabelsCall> => ({
  sizes: {
    pageWidth: 210,
    pageHeight: 297,
    columns: 4,
    rows: 6,
    labelWidth: 40,
    labelHeight: 40,
    marginLeft: 15,
    marginTop: 15,
    gapX: 5,
    gapY: 3,
    ...sizes,
  },
})

const labelPrinter = own({
  pageWidth: 50,
  pageHeight: 50,
  columns: 1,
  rows: 1,
  labelWidth: 50,
  labelHeight: 50,
  marginLeft: 0,
  marginTop: 0,
})

/** Calls for sheets of all kinds */
const calls: [string, Partial<LabelsCall>][] = [
  ...averyNames.map((sheet): [string, Partial<LabelsCall>] => [
    `Avery ${sheet} from label 3`,
    { sheet, first: 3 },
  ]),
  ...grids.flatMap(({ columns, rows }) =>
    paperNames.map((paper): [string, Partial<LabelsCall>] => [
      `${paper}, ${columns} × ${rows}`,
      { paper, columns, rows },
    ]),
  ),
  ['own squares', own({ cutLines: true })],
  ['own round labels', own({ isRound: true })],
  ['own wide labels', own({ columns: 2, rows: 12, labelWidth: 80, labelHeight: 20 })],
  ['a label printer', labelPrinter],
]

/** In CI some sheets, each with other words; in a soak all of them with all words. */
const sheets = someOf(
  calls.flatMap(([name, call]) =>
    captionKinds.map((caption) => [`${name}, ${caption}`, { ...call, caption }] as const),
  ),
  300,
)

test.each(sheets)(
  'labels on %s: each at its place within 0.1 mm, each with its own code',
  async (_case, call) => {
    const body = { ids: idsOf(codes), ...call }
    const response = await labels(body)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const pages = await pdfSheets(await bytesOf(response))
    const { caption, first, ...asked } = labelsAsked.parse(body)
    const sheet = sheetOf(asked)
    expect(pages).toHaveLength(Math.ceil((LABELS + first - 1) / perPage(sheet)))
    expect(response.headers.get('x-total-files')).toBe(String(pages.length))
    for (const page of pages) {
      expect(page.width).toBeCloseTo(sheet.pageWidth, 2)
      expect(page.height).toBeCloseTo(sheet.pageHeight, 2)
    }
    for (const [index, code] of codes.entries()) {
      const at = index + first - 1
      const page = pages[Math.floor(at / perPage(sheet))] as PdfSheet
      const { code: place, name, link } = placesOn(sheet, at % perPage(sheet), caption)
      expect(await page.codeIn(place)).toBe(linkOf(code))
      expectSymbolIn(page, place)
      for (const line of [name, link]) if (line) expectWordsIn(page, line)
    }
    // Labels that are gone already stay empty.
    const { label } = placesOn(sheet, 0, caption)
    const [left, right] = [label.left + 0.5, label.right - 0.5]
    const inner = { left, right, top: label.top + 0.5, bottom: label.bottom - 0.5 }
    expect(pages[0]?.inkIn(inner) === undefined).toBe(first > 1)
  },
)

/** A symbol of 29 or 33 modules, with a quiet zone of 4 on all sides. */
function expectSymbolIn(page: PdfSheet, place: Place) {
  const edge = place.right - place.left
  const ink = page.inkIn(place) as Place
  const width = ink.right - ink.left
  const modules = [29, 33].find((size) => Math.abs((edge * size) / (size + 8) - width) < 0.1) ?? 0
  const quiet = (4 * edge) / (modules + 8)
  expect(Math.abs(ink.left - place.left - quiet)).toBeLessThan(0.1)
  expect(Math.abs(ink.top - place.top - quiet)).toBeLessThan(0.1)
  expect(Math.abs(place.right - quiet - ink.right)).toBeLessThan(0.1)
  expect(Math.abs(place.bottom - quiet - ink.bottom)).toBeLessThan(0.1)
}

/** In the middle of their line and nowhere beside it. */
function expectWordsIn(page: PdfSheet, line: Place) {
  const ink = page.inkIn({ ...line, left: line.left - 1, right: line.right + 1 }) as Place
  expect(Math.abs((ink.left + ink.right) / 2 - (line.left + line.right) / 2)).toBeLessThan(0.5)
  expect(ink.left).toBeGreaterThan(line.left - 0.2)
  expect(ink.right).toBeLessThan(line.right + 0.2)
}

test('labels keep the look of their codes', async () => {
  const rounded = await series(['Rounded'], {
    style: 'rounded',
    foregroundColor: '#1e40af',
    backgroundColor: '#f0f9ff',
  })
  const dark = await series(['Dark'], { foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
  const both = [...rounded, ...dark]
  const { sheet, code: place } = onlyPlace()
  const pages = await pdfSheets(await bytesOf(await labels({ ids: idsOf(both), ...sheet })))
  expect(await Promise.all(pages.map((page) => page.codeIn(place)))).toEqual(both.map(linkOf))
})

/** The same place on each page of a label printer. */
function onlyPlace(withCaption?: CaptionKind) {
  const { caption, first, ...asked } = labelsAsked.parse({ ids: ['any'], ...labelPrinter })
  return { sheet: labelPrinter, ...placesOn(sheetOf(asked), 0, withCaption) }
}

test('labels with frames and logos are read, and a frame stays apart from the name below it', async () => {
  const disc =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4" fill="#b91c1c"/></svg>'
  const sent = await owner.send('/api/logos', disc, 'image/svg+xml')
  const logo = { id: ((await sent.json()) as Logo).id, size: 7, plate: 'round', margin: 0.5 }
  const looks = someOf(frameShapes, 4).map((shape, index) => {
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
  const { sheet, code: place } = onlyPlace()
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
  for (const [index, code] of framed.entries()) {
    const at = placesOn(gridSheet(small), index).code
    expect([index, await page?.codeIn(at)]).toEqual([index, linkOf(code)])
  }
})

test('a code that our test scanner does not read is refused by its name, and no label is given out', async () => {
  const [pale] = await series(['Pale'], { foregroundColor: '#fefefe', backgroundColor: '#ffffff' })
  for (const ask of [(ids: string[]) => labels({ ids }), (ids: string[]) => pictures(ids)]) {
    const refused = await expectRefusal(
      ask([...idsOf(codes.slice(0, 2)), pale?.id ?? '']),
      'invalid_input',
    )
    expect(Object.keys(refused.fields ?? {})).toEqual(['ids.2'])
    expect(refused.message).toContain('“Pale” couldn’t be read by our test scanner')
  }
})

/** A bar of ink, 80 × 8 pixels. */
const bar = { width: 80, height: 8, ink: deflateSync(Buffer.alloc(80, 0xff)).toString('base64') }

test('a name in letters of western Europe is written, and another one comes as a picture or is refused', async () => {
  const [western, greek] = await series(['Crème brûlée – 12 €', 'Τραπέζι 1'])
  expect((await labels({ ids: [western?.id ?? ''] })).status).toBe(200)
  const refused = await refusal(await labels({ ids: [greek?.id ?? ''] }))
  expect(refused.message).toContain('“Τραπέζι 1” has letters')
  const { sheet, name } = onlyPlace()
  const drawnNames = { [greek?.id ?? '']: bar }
  const [page] = await pdfSheets(
    await bytesOf(await labels({ ids: [greek?.id ?? ''], ...sheet, drawnNames })),
  )
  const line = name as Place
  const ink = page?.inkIn(line) as Place
  // As wide as its line, ten times as wide as high.
  expect(ink.right - ink.left).toBeCloseTo(line.right - line.left, 0)
  expect(ink.bottom - ink.top).toBeCloseTo((line.right - line.left) / 10, 0)
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
  await expectRefusal(
    labels({ ids: [code?.id ?? ''], drawnNames: { [code?.id ?? '']: drawn } }),
    'invalid_input',
  )
})

/** The fields of a call that is refused, with why. */
const faultsOf = async (call: Partial<LabelsCall>) =>
  (await refusal(await labels({ ids: idsOf(codes), ...call }))).fields

test('a grid whose codes would be too small is refused', async () => {
  const message = 'The codes on these labels would be too small to scan'
  expect(await faultsOf({ columns: 10, rows: 14 })).toEqual({ columns: message })
})

test('a text in place of a name is written; with letters that no font has, or too long, it is refused', async () => {
  const [code] = codes
  const id = code?.id ?? ''
  const call: LabelsCall = { ids: [id], ...labelPrinter, caption: 'name' }
  const place = onlyPlace('name').name as Place
  const wide = async (more: Partial<LabelsCall>) => {
    const [page] = await pdfSheets(await bytesOf(await labels({ ...call, ...more })))
    const ink = page?.inkIn(place)
    return ink ? ink.right - ink.left : 0
  }
  const long = 'Shelf 12, tins and jars'
  expect(await wide({ captions: { [id]: long } })).toBeGreaterThan((await wide({})) + 5)
  expect(await wide({ captions: { [id]: '' } })).toBe(0)
  const greek = { [id]: 'Ράφι' }
  const refused = await refusal(await labels({ ...call, captions: greek }))
  expect(refused.message).toContain('“Ράφι” has letters')
  // Where it is not written, its letters do not matter.
  expect((await labels({ ...call, captions: greek, caption: 'link' })).status).toBe(200)
  const message = 'The text on a label has at most 200 characters'
  const tooLong = await faultsOf({ ...call, captions: { [id]: 'x'.repeat(201) } })
  expect(tooLong).toEqual({ [`captions.${id}`]: message })
})

test.each([
  ['columns', 5, 'These columns need 235 mm, and the page is 210 mm wide'],
  ['rows', 7, 'These rows need 313 mm, and the page is 297 mm high'],
  ['labelHeight', 12, 'The codes would be 8 mm wide. They need 10 mm to scan'],
  ['labelWidth', 1, 'These labels have no room for a code'],
  ['gapX', -1, 'From 0 to 420 mm'],
])('a sheet whose %s is %i is refused', async (size, value, message) => {
  expect(await faultsOf(own({ [size]: value }))).toEqual({ [`sizes.${size}`]: message })
})

test('a sheet that cannot be cut, or that begins after its last label, is refused', async () => {
  const wanted = { 'sizes.labelHeight': 'A round label needs the same width and height' }
  expect(await faultsOf(own({ isRound: true, labelHeight: 30 }))).toEqual(wanted)
  const behind = { sheet: 'L7160', first: 22 } as const
  expect(await faultsOf(behind)).toEqual({ first: 'This sheet has 21 labels' })
  const two = { ...own({}), sheet: 'L7160' } as const
  expect(await faultsOf(two)).toEqual({ sizes: 'Send a sheet or sizes, not both' })
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

test('a label or picture of a foreign code, or of one in the bin, is refused', async () => {
  const stranger = await newPerson(tessera, 'unlimited')
  const own = await stranger.code()
  const [binned] = await series(['Gone'])
  await owner.delete(`/api/qr-codes/${binned?.id}`)
  for (const [person, ids] of [
    [stranger, [own.id, codes[0]?.id ?? '']],
    [owner, [binned?.id ?? '']],
    [owner, ['nonsense']],
    [owner, [(await owner.draft()).id]],
  ] as [Person, string[]][]) {
    await expectRefusal(labels({ ids }, person), 'code_not_found')
    await expectRefusal(pictures(ids, person), 'code_not_found')
  }
})

test('a code may have many labels, and a thousand are the most', async () => {
  const id = codes[0]?.id ?? ''
  const many = await labels({ ids: Array(25).fill(id), columns: 3, rows: 4 })
  expect(many.headers.get('x-total-files')).toBe('3')
  const tooMany = await faultsOf({ ids: Array(1_001).fill(id) })
  expect(tooMany).toEqual({ ids: 'Choose at most 1,000 QR codes' })
})
