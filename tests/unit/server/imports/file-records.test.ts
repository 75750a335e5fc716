import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, textOfCell } from '../../../../src/contract/csv.ts'
import { domainPath, instantIn } from '../../../../src/server/codes/imports/cell-values.ts'
import { fileRecords, kuttRecords } from '../../../../src/server/codes/imports/file-records.ts'
import { rowsOf } from '../../../../src/server/codes/imports/file-rows.ts'
import { textOfFile } from '../../../../src/server/codes/imports/file-text.ts'
import { rowReader } from '../../../../src/server/codes/imports/row-reader.ts'
import { seed, times } from '../../../support/soak.ts'

async function records(file: string | Buffer) {
  const all: [number, string[]][] = []
  const { text } = textOfFile('codes.csv', Buffer.from(file))
  for await (const { row, cells } of fileRecords(text)) all.push([row, cells])
  return all
}
const cells = async (file: string | Buffer) => (await records(file)).map(([, row]) => row)
const options = {
  format: 'auto',
  publicUrl: 'https://qr.example.com',
  domain: null,
  now: new Date('2030-01-01T00:00:00Z'),
} as const
const LINE = '"Café; ""Zur Post"""'
const WANTED = [
  ['Name', 'Destination'],
  ['Café; "Zur Post"', 'https://example.com'],
]

describe('a CSV file', () => {
  test.each([
    ['commas', 'Name,Destination\n"Café; ""Zur Post""",https://example.com\n'],
    ['semicolons, as Excel has them', `Name;Destination\r\n${LINE};https://example.com`],
    ['tabs', 'Name\tDestination\nCafé; "Zur Post"\thttps://example.com\n'],
    ['a byte order mark', '\uFEFFName,Destination\n"Café; ""Zur Post""",https://example.com'],
    ['a word of Excel’s', `sep=;\r\nName;Destination\r\n${LINE};https://example.com`],
    ['a quoted one', `"sep=|"\n"Name"|"Destination"\n${LINE}|https://example.com`],
    ['pipes', 'Name|Destination\nCafé; "Zur Post"|https://example.com\n'],
    ['lines of old Macs', 'Name,Destination\r"Café; ""Zur Post""",https://example.com\r'],
    ['quotes within a cell', 'Name,Destination\nCafé; "Zur Post",https://example.com\n'],
  ])('is read with %s', async (_what, file) => {
    expect(await cells(file)).toEqual(WANTED)
  })

  test('in UTF-16, as Excel saves Unicode text, is read', async () => {
    const file = '\uFEFFName\tDestination\r\nCafé; "Zur Post"\thttps://example.com\r\n'
    expect(await cells(Buffer.from(file, 'utf16le'))).toEqual(WANTED)
    expect(await cells(Buffer.from(file, 'utf16le').swap16())).toEqual(WANTED)
  })

  test('in windows-1252, as Excel writes CSV, is read, with the signs that Latin-1 has not', async () => {
    const euro = Buffer.from('Name,Price\nCaf\xe9,5 \x80\x92', 'latin1')
    expect(await cells(euro)).toEqual([
      ['Name', 'Price'],
      ['Café', '5 €’'],
    ])
    expect(textOfFile('a.csv', euro).encoding).toBe('windows-1252')
  })

  test.each([
    ['with a byte order mark', '\uFEFFName,Destination\nMen\xfc|Café,x'],
    ['that is mostly UTF-8', 'Name,Destination\nMen\xfc|Café,x'],
  ])('%s stays UTF-8, and its bad bytes can be told', async (_what, text) => {
    // The one letter before the bar is written in another encoding.
    const [before = '', after = ''] = text.split('\xfc')
    const file = Buffer.concat([Buffer.from(before), Buffer.from([0xfc]), Buffer.from(after)])
    expect(await cells(file)).toEqual([
      ['Name', 'Destination'],
      ['Men\uFFFD|Café', 'x'],
    ])
    const reader = rowReader(['Name', 'Link'], options)
    const { problems } = reader.read({ row: 2, cells: ['Men\uFFFD', 'example.com'] })
    expect(problems).toEqual([{ field: 'name', message: expect.stringContaining('CSV UTF-8') }])
  })

  test('with a title above the names of its columns is read from there', async () => {
    const text = Buffer.from('My links\n\nName;Ziel;URL\nA;x;example.com\n')
    const { columns, rows } = await rowsOf(fileRecords(text), options)
    expect(columns.map(({ as }) => as)).toEqual(['name', null, 'url'])
    const [row] = await Array.fromAsync(rows)
    expect(row).toMatchObject({ row: 4, name: 'A', url: 'https://example.com/' })
  })

  test('has the numbers of its rows as a spreadsheet shows them, and no empty rows', async () => {
    const file = 'Name,Destination\n\n,\n"two\nlines",https://example.com\n  ,\t\nlast,x\n'
    expect((await records(file)).map(([row]) => row)).toEqual([1, 4, 6])
  })

  test.each([
    ['that is a workbook', Buffer.from('PK\x03\x04\0\0'), /workbook.*Save it as CSV/],
    ['with a zero byte', Buffer.from('Name,Destination\na\0b,x'), 'isn’t a text file'],
    ['with half a UTF-16 letter', Buffer.from([0xff, 0xfe, 0x41]), 'isn’t a text file'],
    ['with a quote that is never closed', Buffer.from('a,b\n1,2\n3,"4\n5,6\n'), 'after row 2'],
    ['of one line of 5 MB', Buffer.alloc(5 * 1024 * 1024, 'a'), 'Row 1 is too long'],
    [
      'whose unclosed quote swallows the rest',
      Buffer.from(`a,b\n1,"2\n${'x,y\n'.repeat(50_000)}`),
      'Row 2 is too long',
    ],
  ])('%s is refused with the reason', async (_what, file, reason) => {
    await expect(records(file)).rejects.toThrow(reason)
  })

  test('of a hundred thousand columns is refused', async () => {
    const [first] = await records(`Destination${','.repeat(times(100_000, 1_000_000))}\n`)
    expect(() => rowReader(first?.[1] ?? [], options)).toThrow('more than 100 columns')
  })

  test('with the name of a workbook is refused, whatever is in it', () => {
    const read = () => textOfFile('Rooms.XLSX', Buffer.from('Name,Destination'))
    expect(read).toThrow('Save it as CSV')
  })

  test('keeps every text that we have written ourselves', async () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 20 })
      .filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1 }), async (rows) => {
        const file = ['Name,Destination\r\n', ...rows.map((row) => csvLine(row))].join('')
        const read = (await cells(file)).slice(1)
        expect(read.map((row) => row.map(textOfCell))).toEqual(rows)
      }),
      { seed, numRuns: times(20, 2_000) },
    )
  })
})

test.each(['{', '[1', '{"data": 3}', 'null'])('%s is refused as an answer of Kutt’s', (text) => {
  expect(() => [...kuttRecords(Buffer.from(text))]).toThrow('no links')
})

test('a cell that no code can have is a problem of its row, and is not looked at', () => {
  const reader = rowReader(['Name', 'Link', 'Path', 'Tags', 'Created', 'Notes'], options)
  const long = '.'.repeat(60_000)
  const message = 'A cell can have at most 4,096 characters; this one has 60,000'
  for (const [at, field] of ['name', 'url', 'vanityUrl', 'tags', 'createdAt'].entries()) {
    const cells = ['A', 'example.com', '', '', ''].with(at, long)
    expect(reader.read({ row: 2, cells }).problems).toContainEqual({ field, message })
  }
  const noted = reader.read({ row: 2, cells: ['A', 'example.com', '', '', '', long] })
  expect(noted.problems).toEqual([])
  const json = Buffer.from(JSON.stringify({ data: [{ address: long.repeat(2) }] }))
  expect(() => [...kuttRecords(json)]).toThrow('Row 2 is too long')
})

test.each([
  ['menu', true],
  ['a/b.c', true],
  ['a/../b', false],
  ['a/./b', false],
  ['a/..', false],
])('on a domain “%s” is a path: %s', (path, isPath) => {
  expect(domainPath.safeParse(path).success).toBe(isPath)
})

test('an answer of Kutt’s with anything in it becomes rows of texts', () => {
  const answer = '[null, 3, {"target": {"a": 1}}, {"target": "a\\u0000b"}]'
  const rows = [...kuttRecords(Buffer.from(answer))]
  expect(rows.map(({ cells }) => cells[1])).toEqual(['target', '', '', '', 'a b'])
})

test('formulas, links of our own and letters that turn others are said to be wrong, or are plain text', () => {
  const reader = rowReader(['Name', 'Link', 'Path', 'Tags', 'Created'], options)
  const read = (...cells: string[]) => {
    const { name, problems } = reader.read({ row: 2, cells })
    return [name, problems.map(({ field }) => field)]
  }
  expect(read('=HYPERLINK("http://x")', 'example.com')).toEqual(['=HYPERLINK("http://x")', []])
  expect(read("'=1+1", 'https://example.com')).toEqual(['=1+1', []])
  expect(read('A', 'https://QR.example.com./qr/abc')).toEqual(['A', ['url']])
  expect(read('\u202eA', 'javascript:alert(1)')).toEqual(['\u202eA', ['url', 'name']])
  expect(read('A', 'example.com', 'https://old.example.com/qr/Menu')).toEqual(['A', []])
})

test('an address that fills several cells is a problem until it is written whole', () => {
  const reader = rowReader(['Name', 'URL', 'Tags'], options)
  const cells = ['Map', ...'https://www.google.com/maps/@48.137,11.575,15z'.split(',')]
  const message = 'This row has 4 cells, and the file has 3 columns: put the address in quotes'
  const problems = (now: string[]) => reader.read({ row: 2, cells: now }).problems
  expect(problems(cells)).toEqual([{ field: 'url', message }])
  expect(problems(reader.changed(cells, { name: 'Card' }))).toHaveLength(1)
  expect(problems(reader.changed(cells, { url: 'https://example.com/@1,2' }))).toEqual([])
  expect(problems(['Map', 'example.com', '', ' '])).toEqual([])
})

test('what a code goes without stops no row, and is said', () => {
  const reader = rowReader(['Name', 'Link', 'Path', 'Tags', 'Created'], options)
  const read = (...cells: string[]) => {
    const row = reader.read({ row: 2, cells: ['A', 'example.com', ...cells] })
    const { problems, lostPath, losses, tags, createdAt } = row
    expect(problems).toEqual([])
    return { lostPath, losses, tags: tags.length, createdAt }
  }
  const nothing = { lostPath: null, losses: [], tags: 0, createdAt: null }
  expect(read('../x y')).toMatchObject({ lostPath: expect.stringContaining('can only contain') })
  expect(read('x').lostPath).toBe('Vanity URL must be at least 3 characters')
  const many = Array.from({ length: 21 }, (_, index) => `t${index}`).join()
  const first = { tags: 20, losses: ['Only the first 20 tags are kept'] }
  expect(read('', many)).toEqual({ ...nothing, ...first })
  expect(read('', `a,${'b'.repeat(41)}`)).toMatchObject({
    tags: 1,
    losses: [expect.stringContaining('One tag is left out')],
  })
  expect(read('', '', '03/04/2024').losses[0]).toMatch(/“03\/04\/2024” can’t be read/)
  expect(read('', '', '2031-01-01').losses[0]).toContain('in the future')
  const named = reader.read({ row: 2, cells: ['N'.repeat(201), 'example.com'] })
  expect(named.problems).toHaveLength(1)
})

test.each([
  ['2024-03-01', '2024-03-01T12:00:00.000Z'],
  ['2024-03-01T09:12:44+0000', '2024-03-01T09:12:44.000Z'],
  ['2024-03-01T09:12:44.123Z', '2024-03-01T09:12:44.123Z'],
  ['2023-04-05T12:00:00+02:00', '2023-04-05T10:00:00.000Z'],
  ['2019-02-03 10:11:12', '2019-02-03T10:11:12.000Z'],
  ['2019-02-03T10:11', '2019-02-03T10:11:00.000Z'],
  ['2019-02-03 10:11:12 UTC', '2019-02-03T10:11:12.000Z'],
  ['Mar 1, 2024', '2024-03-01T12:00:00.000Z'],
  ['1 March 2024 10:00', '2024-03-01T10:00:00.000Z'],
  ['abc 2', null],
  ['12', null],
])('the date “%s” is read as %s', (cell, instant) => {
  const { value } = instantIn(cell, options.now)
  expect(value === null ? null : new Date(value).toISOString()).toBe(instant)
})
