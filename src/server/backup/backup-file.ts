import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import type { SealedSecret } from './sealed-secret.ts'
import { RowSum } from './table-rows.ts'

/*
 * A backup is a gzip of lines, each a JSON value:
 *
 *   {"tessera": "backup", "format": 1, "at": epoch ms, "version", "secret", "scansIn"}
 *   {"file": path in DATA_DIR}, then its bytes as base64 texts, then {"bytes", "sha256"}
 *   {"database": engine, "schema": the newest migration}
 *   {"table": name, "columns": [names]}, then its rows (table-rows.ts), then {"rows", "sum"}
 *   {"end": true, "files", "tables", "rows", "missing": [journals of other machines]}
 *
 * A file without its last line is not a backup.
 */

export const FORMAT = 1
const LEVEL = 4
const CHUNK_BYTES = 768 << 10
const OWNER = 0o600
/** Characters that go to the compressor at a time */
const WRITE_MAX = 1 << 20

/** `scansIn` is set if scans are in ClickHouse, and not in the backup. */
export type Head = {
  at: number
  version: string
  secret: SealedSecret | null
  scansIn?: 'ClickHouse' | undefined
}
export type Tally = { files: number; tables: number; rows: number }
export type End = Tally & { missing: string[] }

/** The file is not a whole backup; the message says why. */
export class BadBackup extends Error {}

/** Writes a backup. The file has its name only when it is whole and on disk. */
export class BackupWriter {
  readonly tally: Tally = { files: 0, tables: 0, rows: 0 }
  readonly #file: string
  readonly #gzip = createGzip({ level: LEVEL })
  readonly #written: Promise<void>
  #waiting: string[] = []
  #size = 0

  constructor(file: string) {
    this.#file = file
    const output = createWriteStream(this.#part, { mode: OWNER, flush: true })
    this.#written = pipeline(this.#gzip, output)
    // `end` and `#line` report it.
    this.#written.catch(() => {})
  }

  get #part() {
    return `${this.#file}.part`
  }

  async begin({ at, version, secret, scansIn }: Head): Promise<void> {
    await this.#line({ tessera: 'backup', format: FORMAT, at, version, secret, scansIn })
  }

  async addFile(path: string, bytes: Uint8Array): Promise<void> {
    await this.#line({ file: path })
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      await this.#line(Buffer.from(bytes.subarray(from, from + CHUNK_BYTES)).toString('base64'))
    }
    await this.#line({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    this.tally.files++
  }

  async beginDatabase(engine: string, schema: string): Promise<void> {
    await this.#line({ database: engine, schema })
  }

  async addTable(name: string, columns: string[], pages: AsyncIterable<string[]>): Promise<void> {
    await this.#line({ table: name, columns })
    const sum = new RowSum()
    for await (const page of pages) {
      for (const line of page) {
        sum.add(line)
        await this.#text(line)
      }
    }
    await this.#line({ rows: sum.rows, sum: sum.sum })
    this.tally.tables++
    this.tally.rows += sum.rows
  }

  /** Makes the file whole. */
  async end(missing: string[]): Promise<void> {
    await this.#line({ end: true, ...this.tally, missing })
    await this.#send()
    this.#gzip.end()
    await this.#written
    await rename(this.#part, this.#file)
    const folder = await open(dirname(this.#file), 'r')
    await folder.sync().finally(() => folder.close())
  }

  /** Removes what there is of a backup that failed. */
  async abandon(): Promise<void> {
    this.#gzip.destroy()
    await finished(this.#gzip).catch(() => {})
    await rm(this.#part, { force: true })
  }

  #line(value: unknown) {
    return this.#text(JSON.stringify(value))
  }

  async #text(line: string) {
    this.#waiting.push(line, '\n')
    this.#size += line.length
    if (this.#size >= WRITE_MAX) await this.#send()
  }

  async #send() {
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#size = 0
    // A disk that is full ends both streams.
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, 'drain'), this.#written])
  }
}

/** Takes the parts of a backup, one after the other. */
export type BackupVisitor = {
  head?: (head: Head) => Promise<void> | void
  file?: (path: string, bytes: Buffer) => Promise<void> | void
  database?: (engine: string, schema: string) => Promise<void> | void
  table?: (name: string, columns: string[]) => Promise<void> | void
  rows?: (lines: string[]) => Promise<void> | void
}

const PAGE_ROWS = 1_000

/** Reads a backup and checks every count and checksum. @throws BadBackup */
export async function readBackup(file: string, visitor: BackupVisitor): Promise<Head & End> {
  const lines = linesOf(file)
  try {
    const head = headOf((await lines.next()).value ?? undefined)
    await visitor.head?.(head)
    const tally: Tally = { files: 0, tables: 0, rows: 0 }
    for await (const line of lines) {
      const part = JSON.parse(line)
      if ('file' in part) {
        const bytes = await fileOf(lines, part.file)
        await visitor.file?.(part.file, bytes)
        tally.files++
      } else if ('table' in part) {
        await visitor.table?.(part.table, part.columns)
        tally.rows += await readRows(lines, part.table, visitor)
        tally.tables++
      } else if ('database' in part) await visitor.database?.(part.database, part.schema)
      else if ('end' in part) return { ...head, ...endOf(part, tally) }
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new BadBackup('A line of it is damaged')
    throw error
  }
  throw new BadBackup('It ends too early: the backup was not finished')
}

function headOf(line: string | undefined): Head {
  const head = line?.startsWith('{"tessera":"backup"') ? JSON.parse(line) : undefined
  if (!head) throw new BadBackup('It is not a backup of Tessera')
  if (head.format > FORMAT) throw new BadBackup('It is of a newer version of Tessera')
  return { at: head.at, version: head.version, secret: head.secret, scansIn: head.scansIn }
}

function endOf({ files, tables, rows, missing }: End, found: Tally): End {
  if (files !== found.files || tables !== found.tables || rows !== found.rows) {
    throw new BadBackup('Its counts do not fit what it holds')
  }
  return { files, tables, rows, missing }
}

async function fileOf(lines: AsyncIterator<string>, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (;;) {
    const part = await nextOf(lines)
    if (typeof part === 'string') chunks.push(Buffer.from(part, 'base64'))
    else {
      const bytes = Buffer.concat(chunks)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      if (sha256 === (part as { sha256: string }).sha256) return bytes
      throw new BadBackup(`The file ${path} in it is damaged`)
    }
  }
}

async function readRows(lines: AsyncIterator<string>, table: string, visitor: BackupVisitor) {
  const sum = new RowSum()
  let page: string[] = []
  for (;;) {
    const { value: line } = await lines.next()
    if (line?.startsWith('[')) {
      sum.add(line)
      if (visitor.rows) page.push(line)
      if (page.length < PAGE_ROWS) continue
    }
    if (page.length > 0) await visitor.rows?.(page)
    page = []
    if (line?.startsWith('[')) continue
    const { rows, sum: expected } = line ? JSON.parse(line) : {}
    if (rows === sum.rows && expected === sum.sum) return rows
    throw new BadBackup(`The table ${table} in it is damaged`)
  }
}

async function nextOf(lines: AsyncIterator<string>): Promise<unknown> {
  const { value, done } = await lines.next()
  if (done) throw new BadBackup('It ends too early: the backup was not finished')
  return JSON.parse(value)
}

/** The lines of a compressed file. A damaged one ends with BadBackup, a missing one with what the system says. */
async function* linesOf(file: string): AsyncGenerator<string, void> {
  const input = createReadStream(file)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const gunzip = createGunzip()
  input.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const bytes of input.pipe(gunzip)) {
      const lines = (rest + decoder.write(bytes)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_')) throw error
    throw new BadBackup('It is damaged, or cut short')
  } finally {
    input.destroy()
  }
}
