import { attributeNames, type ScanAttributes } from '../../store/ledger/scan.ts'
import { COUNTER_END, scanId } from '../../store/ledger/scan-ids.ts'
import type { FoldScan, ScanKind, ScanKinds } from '../../store/writing/fold-scan.ts'
import {
  aligned,
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
    for (const [index, name] of attributeNames.entries()) {
      attributes[name] = this.#text(view.getUint32(at + (2 + index) * WORD, true))
    }
    return this.#scanKinds.of(attributes as ScanAttributes)
  }

  #text(number: number): string | null {
    const text = this.#texts[number]
    if (text === undefined) throw new BrokenFrame(`no text has the number ${number}`)
    return text
  }
}
