import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { visitorWords } from '../../src/server/analytics/record/classified-visit.ts'
import { Group, Numbers } from '../../src/server/analytics/record/journal/group.ts'
import {
  BEGINNING,
  FRAME_BYTES,
  HEADER_BYTES,
  SEGMENT_BYTES,
  seedOf,
  segmentFile,
} from '../../src/server/analytics/record/journal/layout.ts'
import type { ScanAttributes } from '../../src/server/analytics/store/scan.ts'
import type { Position } from '../../src/server/analytics/store/scans-store.ts'
import { PHONE } from './past-scans.ts'

export type JournalScan = {
  codeId: string
  at: number
  kind: ScanAttributes
  visitor: string | null
}

/** A scan by a person with a phone, now. */
export const journalScan = (change: Partial<JournalScan> = {}): JournalScan => ({
  codeId: 'code',
  at: Date.now(),
  kind: { ...PHONE, city: 'Köln' },
  visitor: null,
  ...change,
})

/** Writes a journal's files frame by frame, without the journal's own thread. */
export class JournalFile {
  readonly folder: string
  /** Behind the last frame */
  end: Position = BEGINNING
  readonly #memory = new SharedArrayBuffer(HEADER_BYTES + FRAME_BYTES)
  readonly #group: Group
  #numbers = new Numbers()
  #counter = 0
  #previousEnd = 0

  /** @param nonce 10 characters */
  constructor(folder: string, nonce = 'abcdefghij') {
    mkdirSync(folder, { recursive: true })
    this.folder = folder
    const style = { nonce, seed: seedOf(nonce), segmentBytes: SEGMENT_BYTES }
    this.#group = new Group(this.#memory, 0, FRAME_BYTES, style)
  }

  /** Adds a frame, and returns where it begins. */
  write(scans: JournalScan[]): Position {
    const begin = this.end
    this.#group.begin(begin, this.#counter)
    for (const { codeId, at, kind: attributes, visitor } of scans) {
      const words = visitor === null ? null : visitorWords(visitor)
      this.#group.add(codeId, { attributes, visitor: words }, at, this.#numbers)
    }
    const { from, bytes, segment, offset } = this.#group.seal(this.#previousEnd)
    const file = openSync(join(this.folder, segmentFile(segment)), offset === 0 ? 'w' : 'r+')
    writeSync(file, new Uint8Array(this.#memory), from, bytes, offset)
    closeSync(file)
    this.#counter += scans.length
    this.end = this.#group.end
    return begin
  }

  /** Goes on in the next segment. */
  rotate() {
    this.#previousEnd = this.end.offset
    this.end = { segment: this.end.segment + 1, offset: HEADER_BYTES }
    this.#numbers = new Numbers()
  }
}
