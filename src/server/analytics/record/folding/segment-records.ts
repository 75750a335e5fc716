import type { FoldScan } from '../../store/ledger/batch.ts'
import type { ScanKind, ScanKinds } from '../../store/ledger/scan-kinds.ts'
import { type Kind, kindColumns } from '../journal/kind.ts'
import {
  aligned,
  COUNTER_END,
  FRAME_HEAD,
  type Frame,
  KIND,
  KIND_BYTES,
  NO_VISITOR,
  NUMBER_MASK,
  SCAN,
  SCAN_BYTES,
  TAG_SHIFT,
  TEXT,
  TEXT_HEAD,
} from '../journal/layout.ts'

const WORD = 4
// 36^9 ms reach beyond the year 5000.
const TIME_DIGITS = 9
const COUNTER_DIGITS = 5

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
      id: idOf(instant, counter, this.#nonce),
      codeId,
      at: instant,
      kind,
      visitor: hasVisitor ? bytes.toString('latin1', at + 4 * WORD, at + SCAN_BYTES) : null,
    }
  }

  #kind(view: DataView, at: number): ScanKind {
    const kind: Partial<Record<keyof Kind, string | null>> = {}
    for (const [index, column] of kindColumns.entries()) {
      kind[column] = this.#text(view.getUint32(at + (2 + index) * WORD, true))
    }
    return this.#scanKinds.of(kind as Kind)
  }

  #text(number: number): string | null {
    const text = this.#texts[number]
    if (text === undefined) throw new BrokenFrame(`no text has the number ${number}`)
    return text
  }
}

let lastAt = -1
let lastTime = ''

/**
 * A time-ordered id of 24 characters: instant, counter, and the nonce that tells journals apart.
 * @param at epoch milliseconds
 * @param counter counts a journal's scans; it begins again at COUNTER_END
 * @param nonce 10 characters
 */
export function idOf(at: number, counter: number, nonce: string): string {
  if (at !== lastAt) {
    lastAt = at
    lastTime = at.toString(36).padStart(TIME_DIGITS, '0')
  }
  return lastTime + (counter % COUNTER_END).toString(36).padStart(COUNTER_DIGITS, '0') + nonce
}
