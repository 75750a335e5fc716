import { Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { AppError } from '../../http/errors.ts'
import { refuseFile } from './file-text.ts'

/** A record of a file; `row` is its number in a spreadsheet. */
export type FileRecord = { row: number; cells: string[] }

/** Bytes that are parsed ahead of the rows that are taken */
const SLICE = 64 * 1024
/** No row that can become a code is nearly as long. */
const RECORD_MAX = 64 * 1024
const tooLong = (row: number) => `Row ${row} is too long.`

type Counted = { records: number; empty_lines: number }
type Parsed = { info: Counted; record: string[] }

/**
 * The records of a CSV file in UTF-8, without empty ones: commas, semicolons, tabs or pipes between the cells, as its
 * first line has them.
 * @throws AppError import_unreadable
 */
export async function* fileRecords(file: Buffer): AsyncGenerator<FileRecord> {
  const { delimiter, text } = withoutHint(file)
  const { parse } = await import('csv-parse')
  const parser = Readable.from(slices(text.bytes)).pipe(
    parse({
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: RECORD_MAX,
    }),
  )
  const rowOf = ({ records, empty_lines }: Counted) => text.skippedRows + records + empty_lines
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      if (record.some((cell) => cell.trim() !== '')) yield { row: rowOf(info), cells: record }
    }
  } catch (error) {
    const { code } = error as CsvError
    // The caller may not have taken the records before it yet.
    const row = rowOf(error as CsvError & Counted)
    if (code === 'CSV_QUOTE_NOT_CLOSED') {
      refuseFile(`A quotation mark (") after row ${row} is never closed.`)
    }
    if (code === 'CSV_MAX_RECORD_SIZE') {
      refuseFile(`${tooLong(row + 1)} Check that each quotation mark (") in it is closed.`)
    }
    throw error
  }
}

/** A first line that names the delimiter, such as `sep=;`: Excel writes it, and it is not a row. */
const HINT = /^"?sep=([,;\t|])"?\r?\n/i

function withoutHint(bytes: Buffer) {
  const start = bytes.toString('utf8', 0, RECORD_MAX)
  const [hint, said] = HINT.exec(start) ?? []
  const text = { bytes: bytes.subarray(hint?.length ?? 0), skippedRows: hint ? 1 : 0 }
  return { delimiter: said ?? delimiterIn(start), text }
}

/** The most frequent delimiter of the first line, or else of the second one, which may be a header below a title. */
function delimiterIn(start: string): string {
  const [title = '', header = ''] = start.trimStart().split(/[\r\n]+/, 2)
  return mostIn(title) ?? (header.includes('://') ? undefined : mostIn(header)) ?? ','
}

/** The most frequent delimiter of a line outside quotes; undefined if there is none */
function mostIn(line: string): string | undefined {
  const times = { ',': 0, ';': 0, '\t': 0, '|': 0 }
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && character in times) times[character as keyof typeof times]++
  }
  const [most] = Object.entries(times).sort(([, one], [, other]) => other - one)
  return most?.[1] ? most[0] : undefined
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE) {
    yield bytes.subarray(start, start + SLICE)
  }
}

/** The keys of a link in Kutt's answers, in the order of the columns */
const KUTT = ['address', 'target', 'description', 'created_at'] as const

/**
 * The links of an answer of Kutt's API (GET /api/v2/links) as the records of a file. Kutt has no other export.
 * @throws AppError import_unreadable
 */
export function* kuttRecords(file: Buffer): Generator<FileRecord> {
  const links = linksIn(file)
  yield { row: 1, cells: [...KUTT] }
  for (const [index, link] of links.entries()) {
    const fields = (link ?? {}) as Record<string, unknown>
    const row = index + 2
    const cells = KUTT.map((key) => textOf(fields[key]))
    if (cells.join('').length > RECORD_MAX) refuseFile(tooLong(row))
    yield { row, cells }
  }
}

const NO_LINKS =
  'This JSON file has no links. Upload a CSV file, or what Kutt’s API answers to GET /api/v2/links.'

function linksIn(file: Buffer): unknown[] {
  try {
    const answer = JSON.parse(file.toString()) as { data?: unknown } | null
    const links = Array.isArray(answer) ? answer : answer?.data
    return Array.isArray(links) ? links : refuseFile(NO_LINKS)
  } catch (error) {
    if (error instanceof AppError) throw error
    return refuseFile(NO_LINKS)
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : ''

/** A bracket behind spaces, a byte order mark and the zeros of UTF-16 */
const JSON_START = /^[\s\0\xef\xbb\xbf\xff\xfe]*[{[]/
/** Whether a file is JSON and not CSV */
export const isJson = (file: Uint8Array) =>
  JSON_START.test(Buffer.from(file.subarray(0, 64)).toString('latin1'))

/** The records of a CSV or JSON file in UTF-8. @throws AppError import_unreadable */
export async function* recordsOf(file: Buffer): AsyncGenerator<FileRecord> {
  yield* isJson(file) ? kuttRecords(file) : fileRecords(file)
}
