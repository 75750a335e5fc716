import {
  aligned,
  FRAME_HEAD,
  frameAt,
  HEADER_BYTES,
  KIND,
  KIND_BYTES,
  NO_VISITOR,
  NUMBER_MASK,
  readHeader,
  SCAN_BYTES,
  type SegmentHeader,
  seedOf,
  TAG_SHIFT,
  TEXT,
  TEXT_HEAD,
} from '../../../src/server/analytics/record/journal/layout.ts'
import { attributeNames, type ScanAttributes } from '../../../src/server/analytics/store/scan.ts'
import { COUNTER_END } from '../../../src/server/analytics/store/scan-ids.ts'
import type { JournalScan } from '../../support/journal-file.ts'

export type ReadScan = JournalScan & { counter: number }
export type ReadSegment = {
  header: SegmentHeader
  frames: number[]
  texts: string[]
  kinds: ScanAttributes[]
  scans: ReadScan[]
  end: number
}

/** A second reader, as plain as can be: all that stands in a segment. Throws at what may not stand there. */
export function readSegment(bytes: Uint8Array): ReadSegment {
  const header = readHeader(bytes)
  if (typeof header === 'string') throw new Error(`the segment is ${header}`)
  const read: ReadSegment = { header, frames: [], texts: [], kinds: [], scans: [], end: 0 }
  const { segment, nonce } = header
  let offset = HEADER_BYTES
  for (;;) {
    const frame = frameAt(bytes, offset, { segment, offset }, seedOf(nonce))
    if (!frame) break
    read.frames.push(frame.scans)
    const before = read.scans.length
    readRecords(bytes.subarray(offset + FRAME_HEAD, offset + frame.bytes), frame.first, read)
    if (read.scans.length - before !== frame.scans) throw new Error('a frame has other scans')
    offset += frame.bytes
  }
  return { ...read, end: offset }
}

function readRecords(records: Uint8Array, first: number, { texts, kinds, scans }: ReadSegment) {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
  const u32 = (at: number) => view.getUint32(at, true)
  const ascii = (from: number, bytes: number) =>
    Buffer.from(records.subarray(from, from + bytes)).toString()
  const textOf = (number: number) => {
    const text = texts[number - 1]
    if (text === undefined) throw new Error(`text ${number} is not in this segment`)
    return text
  }
  let scansHere = 0
  for (let at = 0; at < records.length; ) {
    const tag = u32(at) >>> TAG_SHIFT
    const number = u32(at) & NUMBER_MASK
    if (tag === TEXT) {
      if (number !== texts.length + 1) throw new Error('texts are not in order')
      texts.push(ascii(at + TEXT_HEAD, u32(at + 4)))
      at += TEXT_HEAD + aligned(u32(at + 4))
    } else if (tag === KIND) {
      if (number !== kinds.length + 1) throw new Error('kinds are not in order')
      const columns = attributeNames.map((column, index) => {
        const text = u32(column === 'branch' ? at + 4 : at + 8 + 4 * index)
        return [column, text === 0 ? null : textOf(text)]
      })
      kinds.push(Object.fromEntries(columns))
      at += KIND_BYTES
    } else {
      const kind = kinds[(u32(at + 4) & ~NO_VISITOR) - 1]
      if (!kind) throw new Error('a kind is not in this segment')
      scans.push({
        counter: (first + scansHere++) % COUNTER_END,
        codeId: textOf(number),
        at: view.getFloat64(at + 8, true),
        kind,
        visitor: (u32(at + 4) & NO_VISITOR) !== 0 ? null : ascii(at + 16, 16),
      })
      at += SCAN_BYTES
    }
  }
}
