import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, textOfCell } from '../../../../src/contract/csv.ts'
import { fileRecords, kuttRecords } from '../../../../src/server/codes/imports/file-records.ts'
import { rowReader } from '../../../../src/server/codes/imports/row-reader.ts'
import { seed, times } from '../../../support/soak.ts'

async function records(file: string | Buffer) {
  const all: [number, string[]][] = []
  for await (const { row, cells } of fileRecords(Buffer.from(file))) all.push([row, cells])
  return all
}
const cells = async (file: string | Buffer) => (await records(file)).map(([, row]) => row)
const WANTED = [
  ['Name', 'Destination'],
  ['Café; "Zur Post"', 'https://example.com'],
]

describe('a CSV file', () => {
  test.each([
    ['commas', 'Name,Destination\n"Café; ""Zur Post""",https://example.com\n'],
    [
      'semicolons, as Excel has them',
      'Name;Destination\r\n"Café; ""Zur Post""";https://example.com',
    ],
    ['tabs', 'Name\tDestination\nCafé; "Zur Post"\thttps://example.com\n'],
    ['a byte order mark', '\uFEFFName,Destination\n"Café; ""Zur Post""",https://example.com'],
    [
      'a word of Excel’s about its cells',
      'sep=;\r\nName;Destination\r\n"Café; ""Zur Post""";https://example.com',
    ],
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

  test('has the numbers of its rows as a spreadsheet shows them, and no empty rows', async () => {
    const file = 'Name,Destination\n\n,\n"two\nlines",https://example.com\n  ,\t\nlast,x\n'
    expect((await records(file)).map(([row]) => row)).toEqual([1, 4, 6])
  })

  test.each([
    ['in other letters than UTF-8', Buffer.from('Name,Caf\xe9', 'latin1'), 'not UTF-8'],
    ['that is a spreadsheet itself', Buffer.from('PK\x03\x04\0\0'), 'not a text file'],
    ['with a zero byte', Buffer.from('Name,Destination\na\0b,x'), 'not a text file'],
    ['with half a UTF-16 letter', Buffer.from([0xff, 0xfe, 0x41]), 'not a text file'],
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
    const [first] = await records(
      Buffer.from(`Destination${','.repeat(times(100_000, 1_000_000))}\n`),
    )
    const header = { row: 1, cells: first?.[1] ?? [] }
    const reading = () => rowReader(header, 'auto', { publicUrl: 'https://qr.example.com' })
    expect(reading).toThrow('more than 100 columns')
  })

  test('without a column of destinations is refused', () => {
    const header = { row: 1, cells: ['Table 1', 'https://example.com'] }
    const reading = () => rowReader(header, 'auto', { publicUrl: 'https://qr.example.com' })
    expect(reading).toThrow('one of them “Destination”')
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

test('an answer of Kutt’s with anything in it becomes rows of texts', () => {
  const rows = [
    ...kuttRecords(Buffer.from('[null, 3, {"target": {"a": 1}}, {"target": "a\\u0000b"}]')),
  ]
  expect(rows.map(({ cells }) => cells[1])).toEqual(['target', '', '', '', 'a b'])
})

test('formulas, links of our own and letters that turn others are said to be wrong, or are plain text', () => {
  const reader = rowReader({ row: 1, cells: ['Name', 'Link', 'Path', 'Tags'] }, 'auto', {
    publicUrl: 'https://qr.example.com',
  })
  const read = (...cells: string[]) => {
    const { name, problems } = reader.read({ row: 2, cells })
    return [name, problems.map(({ field }) => field)]
  }
  expect(read('=HYPERLINK("http://x")', 'example.com')).toEqual(['=HYPERLINK("http://x")', []])
  expect(read("'=1+1", 'https://example.com')).toEqual(['=1+1', []])
  expect(read('A', 'https://QR.example.com./qr/abc')).toEqual(['A', ['url']])
  expect(read('\u202eA', 'javascript:alert(1)', '../x')).toEqual([
    '\u202eA',
    ['url', 'name', 'vanityUrl'],
  ])
  const tags = Array.from({ length: 21 }, (_, index) => `t${index}`).join()
  expect(read('A', 'example.com', '', tags)).toEqual(['A', ['tags']])
  expect(read('A', 'example.com', 'https://old.example.com/qr/Menu')).toEqual(['A', []])
})
