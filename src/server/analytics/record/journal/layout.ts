import { crc32 } from 'node:zlib'
import { attributeNames } from '../../store/scan.ts'
import type { Position } from '../../store/scans-store.ts'

/*
 * A journal is a folder of segments; a segment is a file of a header and frames; a frame is what one
 * write put there. All numbers are little endian, and everything begins at a multiple of 8 bytes.
 *
 * Header: 0 magic · 8 u32 version · 12 u32 bytes of a segment · 16 u32 segment · 20 u32 end of the
 *   previous segment's frames · 24 nonce, 10 ASCII bytes · zeros · 60 u32 CRC-32 of bytes 0 to 59
 * Frame:  0 u32 bytes after its head · 4 u32 CRC-32 of all from byte 8 on, seeded by the nonce ·
 *   8 u32 segment · 12 u32 offset · 16 u32 counter of the first scan · 20 u32 scans · records
 * Record: its first word is a tag and a number.
 *   SCAN  tag|text of the code · u32 kind (NO_VISITOR: no visitor) · f64 epoch ms · 16 bytes visitor
 *   TEXT  tag|number · u32 bytes · UTF-8, filled with zeros to a multiple of 8
 *   KIND  tag|number · a text's number for each of `kindNames` (0: null; before `utm` and `branch` were
 *         among them, their places had a zero too)
 *
 * Texts and kinds are numbered from 1 for each segment, so a segment is read by itself. A frame says
 * where it lies: in a file that is used again, an older frame cannot be taken for a new one.
 */

export const SEGMENT_BYTES = 16 << 20
export const HEADER_BYTES = 64
export const FRAME_HEAD = 24
/** A frame at most, with its head. */
export const FRAME_BYTES = 256 << 10

export const SCAN = 1
export const TEXT = 2
export const KIND = 3
export const SCAN_BYTES = 32
export const KIND_BYTES = 56
/** The attributes of a KIND record. The newest one has the place that was free. */
export const kindNames = ['branch', ...attributeNames.filter((name) => name !== 'branch')] as const
export const TEXT_HEAD = 8
export const TAG_SHIFT = 28
export const NUMBER_MASK = 0x0fff_ffff
export const NO_VISITOR = 0x8000_0000

const MAGIC = Buffer.from('TESSERAJ')
const VERSION = 1
const NONCE_AT = 24
const NONCE_BYTES = 10
const HEADER_CRC_AT = 60

export const BEGINNING: Position = { segment: 0, offset: HEADER_BYTES }

/** A position as one number that can be compared, for memory that threads share. */
export const packed = ({ segment, offset }: Position): bigint =>
  (BigInt(segment) << 32n) | BigInt(offset)

export const unpacked = (position: bigint): Position => ({
  segment: Number(position >> 32n),
  offset: Number(position & 0xffff_ffffn),
})

export const segmentFile = (segment: number) => `${String(segment).padStart(10, '0')}.seg`

/** The seed of the checksums of a journal's frames: frames of another journal do not fit it. */
export const seedOf = (nonce: string): number => crc32(nonce)

/** A multiple of 8 bytes. */
export const aligned = (bytes: number) => (bytes + 7) & ~7

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** `nonce`: 10 ASCII characters; `previousEnd`: 0 in the first segment. */
export type SegmentHeader = {
  segment: number
  segmentBytes: number
  nonce: string
  previousEnd: number
}

export function writeHeader(into: Uint8Array, header: SegmentHeader): void {
  const view = viewOf(into)
  into.fill(0, 0, HEADER_BYTES)
  into.set(MAGIC)
  view.setUint32(8, VERSION, true)
  view.setUint32(12, header.segmentBytes, true)
  view.setUint32(16, header.segment, true)
  view.setUint32(20, header.previousEnd, true)
  into.set(Buffer.from(header.nonce, 'latin1').subarray(0, NONCE_BYTES), NONCE_AT)
  view.setUint32(HEADER_CRC_AT, crc32(into.subarray(0, HEADER_CRC_AT)), true)
}

/**
 * The header at the beginning of these bytes; 'empty' where none was written whole. A file that is
 * used again holds the header of its earlier number until its first write.
 */
export function readHeader(bytes: Uint8Array): SegmentHeader | 'empty' | 'unknown version' {
  if (bytes.length < HEADER_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return 'empty'
  const view = viewOf(bytes)
  const sum = crc32(bytes.subarray(0, HEADER_CRC_AT))
  if (sum !== view.getUint32(HEADER_CRC_AT, true)) return 'empty'
  if (view.getUint32(8, true) !== VERSION) return 'unknown version'
  return {
    segmentBytes: view.getUint32(12, true),
    segment: view.getUint32(16, true),
    previousEnd: view.getUint32(20, true),
    nonce: Buffer.from(bytes.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES)).toString('latin1'),
  }
}

/** A frame of `bytes` with its head; the id of its n-th scan has the counter `first` + n. */
export type Frame = { bytes: number; first: number; scans: number }

/** Writes the head of a frame that takes the first `bytes` of `frame`; its records are there. */
export function sealFrame(frame: Uint8Array, head: Frame & { seed: number; at: Position }): void {
  const view = viewOf(frame)
  view.setUint32(0, head.bytes - FRAME_HEAD, true)
  view.setUint32(8, head.at.segment, true)
  view.setUint32(12, head.at.offset, true)
  view.setUint32(16, head.first, true)
  view.setUint32(20, head.scans, true)
  view.setUint32(4, crc32(frame.subarray(8, head.bytes), head.seed), true)
}

/** The whole frame that begins at `bytes[from]`, if it was written for the place `expected`. */
export function frameAt(
  bytes: Uint8Array,
  from: number,
  expected: Position,
  seed: number,
): Frame | undefined {
  if (from + FRAME_HEAD > bytes.length) return undefined
  const view = viewOf(bytes)
  const end = from + FRAME_HEAD + view.getUint32(from, true)
  if (end - from > FRAME_BYTES || end > bytes.length) return undefined
  if (view.getUint32(from + 8, true) !== expected.segment) return undefined
  if (view.getUint32(from + 12, true) !== expected.offset) return undefined
  if (crc32(bytes.subarray(from + 8, end), seed) !== view.getUint32(from + 4, true))
    return undefined
  return {
    bytes: end - from,
    first: view.getUint32(from + 16, true),
    scans: view.getUint32(from + 20, true),
  }
}
