import { attributeNames, type ScanAttributes } from '../../store/scan.ts'
import type { Position } from '../../store/scans-store.ts'
import type { ClassifiedVisit } from '../../types.ts'
import {
  aligned,
  FRAME_HEAD,
  HEADER_BYTES,
  KIND,
  KIND_BYTES,
  kindNames,
  NO_VISITOR,
  SCAN,
  SCAN_BYTES,
  sealFrame,
  TAG_SHIFT,
  TEXT,
  TEXT_HEAD,
  writeHeader,
} from './layout.ts'

/** A longer text was cut, and would keep the whole header in memory. */
const REMEMBERED_MAX = 511
const TEXTS_MAX = 50_000
const KINDS_MAX = 5_000

/**
 * The numbers of texts and kinds in the open segment. Both memories are bounded, whatever strangers
 * send: what was forgotten is written to the segment once more, with a new number.
 */
export class Numbers {
  texts = new Numbered<string>(TEXTS_MAX)
  kinds = new Numbered<ScanAttributes>(KINDS_MAX)

  newText = (text: string) => this.texts.add(text, text)
  newKind = (attributes: ScanAttributes) => this.kinds.add(attributes, attributes.agent)

  /** For a new segment. */
  clear() {
    this.texts = new Numbered(TEXTS_MAX)
    this.kinds = new Numbered(KINDS_MAX)
  }
}

/** The numbers of things. Look here before you add one. */
class Numbered<Each> extends Map<Each, number> {
  readonly #max: number
  #last = 0

  constructor(max: number) {
    super()
    this.#max = max
  }

  /** Gives it the next number, which is remembered unless this text of it is long. */
  add(each: Each, text: string): number {
    this.#last++
    if (text.length <= REMEMBERED_MAX) {
      if (this.size === this.#max) this.clear()
      this.set(each, this.#last)
    }
    return this.#last
  }
}

/** Lets a redirect go out. */
export type Release = () => void

const TEXT_MAX = 256
/** 512 characters of up to 3 bytes: User-Agents, and five UTM values of 100. */
const LONG_TEXT_MAX = 1_536
const maxOf = (column: keyof ScanAttributes) =>
  column === 'agent' || column === 'utm' ? LONG_TEXT_MAX : TEXT_MAX

/** The room of one scan, in bytes, if its code, its kind and all its texts are new. */
export const ROOM_FOR_SCAN = attributeNames.reduce(
  (sum, column) => sum + TEXT_HEAD + maxOf(column),
  TEXT_HEAD + TEXT_MAX + KIND_BYTES + SCAN_BYTES,
)

/** PostgreSQL takes no NUL in a text. The encoding makes half a surrogate pair U+FFFD. */
const stored = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/** Values that all groups of a journal share. */
export type GroupStyle = { nonce: string; seed: number; segmentBytes: number }

/** A write for the journal thread: these bytes of the shared memory, at this place. */
export type Order = { from: number; bytes: number; segment: number; offset: number }

/**
 * The scans of one write, as the frame that goes to disk, and the redirects that wait for it. It lies
 * in memory that the journal thread shares. Nothing is allocated for a scan.
 */
export class Group {
  /** A header, which only the first group of a segment uses, and the frame behind it. */
  readonly #bytes: Buffer
  readonly #u32: Uint32Array
  readonly #f64: Float64Array
  readonly #from: number
  readonly #end: number
  readonly #style: GroupStyle
  /** The first `#waiting` of them are there. */
  readonly #answers: (Release | undefined)[] = []
  #waiting = 0
  #at: Position = { segment: 0, offset: 0 }
  #first = 0
  /** From `#bytes` on. */
  #used = 0
  scans = 0

  /** @param from where its bytes begin in the shared memory */
  constructor(memory: SharedArrayBuffer, from: number, frameBytes: number, style: GroupStyle) {
    this.#end = HEADER_BYTES + frameBytes
    this.#bytes = Buffer.from(memory, from, this.#end)
    this.#u32 = new Uint32Array(memory, from, this.#end / 4)
    this.#f64 = new Float64Array(memory, from, this.#end / 8)
    this.#from = from
    this.#style = style
  }

  /** Makes the group empty. */
  begin(at: Position, firstCounter: number) {
    this.#at = at
    this.#first = firstCounter
    this.#used = HEADER_BYTES + FRAME_HEAD
    this.scans = 0
  }

  get hasRoom(): boolean {
    return this.#used + ROOM_FOR_SCAN <= this.#end
  }

  /** The position behind its frame. */
  get end(): Position {
    return { segment: this.#at.segment, offset: this.#at.offset + this.#used - HEADER_BYTES }
  }

  add(codeId: string, { attributes, visitor }: ClassifiedVisit, at: number, numbers: Numbers) {
    const code = numbers.texts.get(codeId) ?? this.#addText(codeId, TEXT_MAX, numbers)
    const kindNumber = numbers.kinds.get(attributes) ?? this.#addKind(attributes, numbers)
    const u32 = this.#u32
    const word = this.#used >> 2
    u32[word] = (SCAN << TAG_SHIFT) | code
    u32[word + 1] = visitor ? kindNumber : kindNumber | NO_VISITOR
    this.#f64[(word >> 1) + 1] = at
    // Zeros without a visitor
    u32[word + 4] = visitor?.[0] ?? 0
    u32[word + 5] = visitor?.[1] ?? 0
    u32[word + 6] = visitor?.[2] ?? 0
    u32[word + 7] = visitor?.[3] ?? 0
    this.#used += SCAN_BYTES
    this.scans++
  }

  /** Keeps a redirect until `answerAll`. */
  keep(answer: Release) {
    this.#answers[this.#waiting++] = answer
  }

  /** Calls `give` with each redirect that waits, and forgets it. Returns how many there were. */
  answerAll(give: (answer: Release) => void): number {
    const waiting = this.#waiting
    this.#waiting = 0
    for (let index = 0; index < waiting; index++) {
      const answer = this.#answers[index] as Release
      this.#answers[index] = undefined
      give(answer)
    }
    return waiting
  }

  /** Seals the frame. @param previousEnd the end of the segment before: for its header */
  seal(previousEnd: number): Order {
    const at = this.#at
    const bytes = this.#used - HEADER_BYTES
    const { nonce, seed, segmentBytes } = this.#style
    const frame = this.#bytes.subarray(HEADER_BYTES)
    sealFrame(frame, { bytes, first: this.#first, scans: this.scans, seed, at })
    if (at.offset > HEADER_BYTES) {
      return { from: this.#from + HEADER_BYTES, bytes, ...at }
    }
    writeHeader(this.#bytes, { segment: at.segment, segmentBytes, nonce, previousEnd })
    return { from: this.#from, bytes: this.#used, segment: at.segment, offset: 0 }
  }

  #addKind(attributes: ScanAttributes, numbers: Numbers): number {
    const texts = kindNames.map((name) => {
      const text = attributes[name]
      if (text === null) return 0
      return numbers.texts.get(text) ?? this.#addText(text, maxOf(name), numbers)
    })
    const number = numbers.newKind(attributes)
    this.#u32.set([(KIND << TAG_SHIFT) | number, ...texts], this.#used >> 2)
    this.#used += KIND_BYTES
    return number
  }

  #addText(text: string, maxBytes: number, numbers: Numbers): number {
    const number = numbers.newText(text)
    const head = this.#used
    const begin = head + TEXT_HEAD
    const length = this.#bytes.write(stored(text), begin, maxBytes, 'utf8')
    this.#used = begin + aligned(length)
    this.#bytes.fill(0, begin + length, this.#used)
    this.#u32[head >> 2] = (TEXT << TAG_SHIFT) | number
    this.#u32[(head >> 2) + 1] = length
    return number
  }
}
