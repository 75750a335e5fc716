import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  aligned,
  FRAME_HEAD,
  HEADER_BYTES,
  KIND,
  KIND_BYTES,
  NO_VISITOR,
  type Position,
  SCAN,
  SCAN_BYTES,
  SEGMENT_BYTES,
  sealFrame,
  seedOf,
  segmentFile,
  TAG_SHIFT,
  TEXT,
  TEXT_HEAD,
  writeHeader,
} from '../../src/server/analytics/record/journal/layout.ts'
import {
  attributeNames,
  type ScanAttributes,
} from '../../src/server/analytics/store/ledger/scan.ts'

export type JournalScan = {
  codeId: string
  at: number
  kind: ScanAttributes
  visitor: string | null
}

const PHONE: ScanAttributes = {
  class: 'person',
  rule: '1:test',
  country: 'DE',
  region: null,
  city: 'Köln',
  device: 'Mobile',
  os: 'iOS',
  browser: 'Safari',
  referrer: null,
  language: 'de',
  agent: 'a phone',
}

/** A scan by a person with a phone, now. */
export const journalScan = (change: Partial<JournalScan> = {}): JournalScan => ({
  codeId: 'code',
  at: Date.now(),
  kind: PHONE,
  visitor: null,
  ...change,
})

/** Writes a journal's files by the book, frame by frame, without the journal's own thread. */
export class JournalFile {
  readonly folder: string
  /** Behind the last frame */
  end: Position = { segment: 0, offset: HEADER_BYTES }
  readonly #nonce: string
  #file: number | undefined
  #counter = 0
  #texts = new Map<string, number>()
  #kinds = new Map<string, number>()

  /** @param nonce 10 characters */
  constructor(folder: string, nonce = 'abcdefghij') {
    mkdirSync(folder, { recursive: true })
    this.folder = folder
    this.#nonce = nonce
  }

  /** Adds a frame, and answers where it begins. */
  write(scans: JournalScan[]): Position {
    this.#file ??= this.#begin(0)
    const at = this.end
    const records: Buffer[] = []
    for (const scan of scans) this.#addScan(records, scan)
    const frame = Buffer.concat([Buffer.alloc(FRAME_HEAD), ...records])
    const head = { first: this.#counter, scans: scans.length, bytes: frame.length }
    sealFrame(frame, { ...head, seed: seedOf(this.#nonce), at })
    writeSync(this.#file, frame, 0, frame.length, at.offset)
    this.#counter += scans.length
    this.end = { segment: at.segment, offset: at.offset + frame.length }
    return at
  }

  /** Goes on in the next segment. */
  rotate() {
    this.#file = this.#begin(this.end.offset)
  }

  close() {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #begin(previousEnd: number): number {
    const segment = this.#file === undefined ? 0 : this.end.segment + 1
    this.close()
    const file = openSync(join(this.folder, segmentFile(segment)), 'w')
    const header = Buffer.alloc(HEADER_BYTES)
    writeHeader(header, { segment, segmentBytes: SEGMENT_BYTES, nonce: this.#nonce, previousEnd })
    writeSync(file, header)
    fdatasyncSync(file)
    this.end = { segment, offset: HEADER_BYTES }
    this.#texts = new Map()
    this.#kinds = new Map()
    return file
  }

  #addScan(records: Buffer[], { codeId, at, kind, visitor }: JournalScan) {
    const record = Buffer.alloc(SCAN_BYTES)
    record.writeUInt32LE(tagged(SCAN, this.#text(records, codeId)))
    const number = this.#kind(records, kind)
    record.writeUInt32LE((visitor === null ? (number | NO_VISITOR) >>> 0 : number) >>> 0, 4)
    record.writeDoubleLE(at, 8)
    record.write(visitor ?? '', 16, 'latin1')
    records.push(record)
  }

  #text(records: Buffer[], text: string | null): number {
    if (text === null) return 0
    const known = this.#texts.get(text)
    if (known) return known
    const number = this.#texts.size + 1
    this.#texts.set(text, number)
    const bytes = Buffer.from(text)
    const record = Buffer.alloc(TEXT_HEAD + aligned(bytes.length))
    record.writeUInt32LE(tagged(TEXT, number))
    record.writeUInt32LE(bytes.length, 4)
    bytes.copy(record, TEXT_HEAD)
    records.push(record)
    return number
  }

  #kind(records: Buffer[], kind: ScanAttributes): number {
    const key = JSON.stringify(kind)
    const known = this.#kinds.get(key)
    if (known) return known
    const number = this.#kinds.size + 1
    this.#kinds.set(key, number)
    const record = Buffer.alloc(KIND_BYTES)
    const texts = attributeNames.map((column) => this.#text(records, kind[column]))
    record.writeUInt32LE(tagged(KIND, number))
    for (const [index, text] of texts.entries()) record.writeUInt32LE(text, 8 + 4 * index)
    records.push(record)
    return number
  }
}

const tagged = (tag: number, number: number) => ((tag << TAG_SHIFT) | number) >>> 0
