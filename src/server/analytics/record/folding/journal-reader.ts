import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type FoldScan, type ScanKind, ScanKinds } from '../../store/fold-scan.ts'
import type { ScanAttributes } from '../../store/scan.ts'
import { COUNTER_END, scanId } from '../../store/scan-ids.ts'
import type { Position } from '../../store/scans-store.ts'
import { isMissing, segmentsIn } from '../journal/journal-directory.ts'
import {
  aligned,
  FRAME_HEAD,
  type Frame,
  frameAt,
  HEADER_BYTES,
  KIND,
  KIND_BYTES,
  kindNames,
  NO_VISITOR,
  NUMBER_MASK,
  readHeader,
  SCAN,
  SCAN_BYTES,
  type SegmentHeader,
  seedOf,
  segmentFile,
  TAG_SHIFT,
  TEXT,
  TEXT_HEAD,
} from '../journal/layout.ts'

const WORD = 4

/** A frame that is whole, but names a text or a kind that no frame before it has. */
export class BrokenFrame extends Error {}

/** Reads the records of one segment's frames, in their order, and learns its texts and kinds. */
export class SegmentRecords {
  readonly #nonce: string
  readonly #scanKinds: ScanKinds
  readonly #texts: (string | null)[] = [null]
  readonly #kinds: ScanKind[] = []

  constructor(nonce: string, scanKinds: ScanKinds) {
    this.#nonce = nonce
    this.#scanKinds = scanKinds
  }

  /** Learns what a frame defines, and adds its scans to `scans` if it is given. @throws BrokenFrame */
  take(bytes: Buffer, from: number, frame: Frame, scans?: FoldScan[]): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const end = from + frame.bytes
    let counter = frame.first
    for (let at = from + FRAME_HEAD; at < end; ) {
      const tag = view.getUint32(at, true)
      const number = tag & NUMBER_MASK
      const word = view.getUint32(at + WORD, true)
      switch (tag >>> TAG_SHIFT) {
        case SCAN:
          if (scans) scans.push(this.#scan(bytes, view, at, counter++ % COUNTER_END))
          at += SCAN_BYTES
          break
        case TEXT:
          this.#texts[number] = bytes.toString('utf8', at + TEXT_HEAD, at + TEXT_HEAD + word)
          at += TEXT_HEAD + aligned(word)
          break
        case KIND:
          this.#kinds[number] = this.#kind(view, at)
          at += KIND_BYTES
          break
        default:
          throw new BrokenFrame(`no record begins with ${tag}`)
      }
    }
  }

  #scan(bytes: Buffer, view: DataView, at: number, counter: number): FoldScan {
    const word = view.getUint32(at + WORD, true)
    const instant = view.getFloat64(at + 2 * WORD, true)
    const kind = this.#kinds[word & NUMBER_MASK]
    const codeId = this.#text(view.getUint32(at, true) & NUMBER_MASK)
    if (!kind || codeId === null) throw new BrokenFrame('a scan of an unknown kind or code')
    const hasVisitor = (word & NO_VISITOR) === 0
    return {
      id: scanId(instant, counter, this.#nonce),
      codeId,
      at: instant,
      kind,
      visitor: hasVisitor ? bytes.toString('latin1', at + 4 * WORD, at + SCAN_BYTES) : null,
    }
  }

  #kind(view: DataView, at: number): ScanKind {
    const attributes: Partial<Record<keyof ScanAttributes, string | null>> = {}
    for (const [index, name] of kindNames.entries()) {
      attributes[name] = this.#text(view.getUint32(at + (1 + index) * WORD, true))
    }
    return this.#scanKinds.of(attributes as ScanAttributes)
  }

  #text(number: number): string | null {
    const text = this.#texts[number]
    if (text === undefined) throw new BrokenFrame(`no text has the number ${number}`)
    return text
  }
}

/** More than a frame, so that a whole one is always in memory. */
const READ_BYTES = 1 << 20

/** A journal of a newer version: it is left to that. */
export class UnreadableJournal extends Error {}

/** The scans between two positions, all of one segment. */
export type Read = { from: Position; to: Position; scans: FoldScan[] }

/** Damage to a journal: `bytes` of a segment cannot be read, or (0) the whole file is not there. */
export type Damage = { segment: number; bytes: number }

export type JournalReaderDeps = {
  /** The journal's folder */
  folder: string
  position: Position
  /** Called before the reader goes on behind the damage. */
  onDamage: (damage: Damage) => void
}

type OpenSegment = { file: number; header: SegmentHeader; seed: number; records: SegmentRecords }

/** Reads one journal from a position on. It never reads past the position that is said to be on disk. */
export class JournalReader {
  readonly #deps: JournalReaderDeps
  readonly #kinds = new ScanKinds()
  #buffer = Buffer.alloc(0)
  #position: Position
  #open: OpenSegment | undefined

  constructor(deps: JournalReaderDeps) {
    this.#deps = deps
    this.#position = deps.position
  }

  get position(): Position {
    return this.#position
  }

  /**
   * The next scans: whole frames until there are `scansMax` scans. Undefined where the journal ends,
   * or where nothing more of it can be read yet.
   *
   * @param end up to where it may be read; without it, to the last whole frame
   * @throws UnreadableJournal; what the system says
   */
  read(scansMax: number, end?: Position): Read | undefined {
    const from = this.#position
    for (;;) {
      const scans = this.#openHere() ? this.#frames(scansMax, end) : []
      const to = this.#position
      if (scans.length > 0) return { from, to, scans }
      if (this.#goOn(end)) continue
      const hasMoved = to.segment !== from.segment || to.offset !== from.offset
      return hasMoved ? { from, to, scans } : undefined
    }
  }

  close() {
    if (this.#open) closeSync(this.#open.file)
    this.#open = undefined
  }

  /** Opens the position's segment, and learns the texts and kinds that it has before the position. */
  #openHere(): boolean {
    const { segment, offset } = this.#position
    if (this.#open?.header.segment === segment) return true
    this.close()
    this.#kinds.forgetIfMany()
    if (this.#buffer.length === 0) this.#buffer = Buffer.alloc(READ_BYTES)
    const file = openIfThere(this.#pathOf(segment))
    if (file === undefined) return false
    const header = headerOf(file, segment)
    if (!header) {
      closeSync(file)
      return false
    }
    const records = new SegmentRecords(header.nonce, this.#kinds)
    this.#open = { file, header, seed: seedOf(header.nonce), records }
    this.#position = { segment, offset: HEADER_BYTES }
    this.#frames(Number.POSITIVE_INFINITY, { segment, offset }, { learning: true })
    // If a kind cannot be learned, that shows when a scan refers to it.
    this.#position = { segment, offset }
    return true
  }

  /** Reads whole frames from the position on and moves it behind them. */
  #frames(scansMax: number, end?: Position, { learning = false } = {}): FoldScan[] {
    const { file, seed, records } = this.#open as OpenSegment
    const { segment } = this.#position
    const endOffset = end?.segment === segment ? end.offset : Number.POSITIVE_INFINITY
    const scans: FoldScan[] = []
    let { offset } = this.#position
    for (let isMore = true; isMore && scans.length < scansMax; ) {
      const want = Math.min(READ_BYTES, endOffset - offset)
      const got = want > 0 ? readSync(file, this.#buffer, 0, want, offset) : 0
      const bytes = this.#buffer.subarray(0, got)
      isMore = false
      for (let at = 0; scans.length < scansMax; ) {
        const frame = frameAt(bytes, at, { segment, offset }, seed)
        if (!frame || !isTaken(records, bytes, at, frame, learning ? undefined : scans)) break
        at += frame.bytes
        offset += frame.bytes
        isMore = true
      }
    }
    this.#position = { segment, offset }
    return scans
  }

  /** Goes to the next segment that is there, if the journal has gone on there. */
  #goOn(end?: Position): boolean {
    const { segment, offset } = this.#position
    const isThere = this.#open?.header.segment === segment
    const later = segmentsIn(this.#deps.folder).filter(
      (other) => other > segment && other <= (end?.segment ?? other),
    )
    for (const next of later) {
      const header = this.#headerOf(next)
      if (!header) continue
      const lost = next === segment + 1 && isThere ? header.previousEnd - offset : 0
      if (lost > 0 || !isThere || next > segment + 1) {
        this.#deps.onDamage({ segment, bytes: Math.max(lost, 0) })
      }
      this.#position = { segment: next, offset: HEADER_BYTES }
      return true
    }
    return false
  }

  #headerOf(segment: number): SegmentHeader | undefined {
    const file = openIfThere(this.#pathOf(segment))
    if (file === undefined) return undefined
    try {
      return headerOf(file, segment)
    } finally {
      closeSync(file)
    }
  }

  #pathOf(segment: number): string {
    return join(this.#deps.folder, segmentFile(segment))
  }
}

/** A frame whose records make no sense ends the segment as a torn one does. */
function isTaken(records: SegmentRecords, ...frame: Parameters<SegmentRecords['take']>): boolean {
  const scans = frame[3]
  const before = scans?.length ?? 0
  try {
    records.take(...frame)
    return true
  } catch (error) {
    if (!(error instanceof BrokenFrame || error instanceof RangeError)) throw error
    if (scans) scans.length = before
    return false
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The header of a file, if it was written for this segment. */
function headerOf(file: number, segment: number): SegmentHeader | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES)
  readSync(file, bytes, 0, HEADER_BYTES, 0)
  const header = readHeader(bytes)
  if (header === 'unknown version') throw new UnreadableJournal(`segment ${segment}`)
  return header !== 'empty' && header.segment === segment ? header : undefined
}
