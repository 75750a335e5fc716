import type { ScanAttributes } from '../../store/ledger/scan.ts'

/** A longer text was cut, and would keep the whole header in memory. */
const REMEMBERED_MAX = 511
const TEXTS_MAX = 50_000
const KINDS_MAX = 5_000

/**
 * The numbers of texts and kinds in the open segment. Both memories are bounded, whatever strangers
 * send: what was forgotten is written to the segment once more, with a new number.
 */
export class Numbers {
  /** Look here first. */
  readonly texts = new Map<string, number>()
  readonly kinds = new Map<ScanAttributes, number>()
  #lastText = 0
  #lastKind = 0

  newText(text: string): number {
    this.#lastText++
    if (text.length <= REMEMBERED_MAX) {
      if (this.texts.size === TEXTS_MAX) this.texts.clear()
      this.texts.set(text, this.#lastText)
    }
    return this.#lastText
  }

  newKind(attributes: ScanAttributes): number {
    this.#lastKind++
    if (attributes.agent.length <= REMEMBERED_MAX) {
      if (this.kinds.size === KINDS_MAX) this.kinds.clear()
      this.kinds.set(attributes, this.#lastKind)
    }
    return this.#lastKind
  }

  /** For a new segment. */
  clear() {
    this.texts.clear()
    this.kinds.clear()
    this.#lastText = 0
    this.#lastKind = 0
  }
}
