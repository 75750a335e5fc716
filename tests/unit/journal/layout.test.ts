import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FRAME_HEAD,
  frameAt,
  HEADER_BYTES,
  packed,
  readHeader,
  sealFrame,
  seedOf,
  unpacked,
  writeHeader,
} from '../../../src/server/analytics/record/journal/layout.ts'
import type { Position } from '../../../src/server/analytics/store/scans-store.ts'
import { seed, times } from '../../support/soak.ts'

const nonce = '0123456789'
const journal = seedOf(nonce)
const RECORDS = 40

function sealed(at: Position): Uint8Array {
  const bytes = Uint8Array.from({ length: FRAME_HEAD + RECORDS }, (_, index) => index)
  sealFrame(bytes, { bytes: bytes.length, first: 7, scans: 2, seed: journal, at })
  return bytes
}

/** A segment's bytes with this frame at this offset. */
function segmentWith(frame: Uint8Array, offset: number): Uint8Array {
  const segment = new Uint8Array(1024)
  segment.set(frame, offset)
  return segment
}

const flipped = (bytes: Uint8Array, bit: number) => {
  const other = bytes.slice()
  other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7))
  return other
}

const at = { segment: 3, offset: 128 }

describe('a frame', () => {
  test('comes back as it was sealed', () => {
    const frame = frameAt(segmentWith(sealed(at), 128), 128, at, journal)
    expect(frame).toEqual({ bytes: FRAME_HEAD + RECORDS, first: 7, scans: 2 })
  })

  const whole = segmentWith(sealed(at), 128)
  test.each([
    ['elsewhere in the segment', segmentWith(sealed(at), 136), 136, journal],
    ['in another journal', whole, 128, seedOf('abcdefghij')],
    ['of an older use of the file', segmentWith(sealed({ ...at, segment: 1 }), 128), 128, journal],
    ['without its last byte', whole.subarray(0, 128 + FRAME_HEAD + RECORDS - 1), 128, journal],
    ['without its head', whole.subarray(0, 140), 128, journal],
  ])('%s is none', (_, bytes, offset, of) => {
    expect(frameAt(bytes, offset, { ...at, offset }, of)).toBe(undefined)
  })

  test('is refused if any bit of it changes', () => {
    const bits = fc.integer({ min: 0, max: 8 * (FRAME_HEAD + RECORDS) - 1 })
    const property = fc.property(bits, (bit) => {
      const bytes = segmentWith(flipped(sealed(at), bit), 128)
      expect(frameAt(bytes, 128, at, journal)).toBe(undefined)
    })
    fc.assert(property, { seed, numRuns: times(200, 5_000) })
  })

  test('is looked for in any bytes without an error', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(100), (bytes, from) => {
      expect(frameAt(bytes, from, { segment: 0, offset: from }, journal)).toBe(undefined)
    })
    fc.assert(property, { seed, numRuns: times(200, 5_000) })
  })
})

describe('the header of a segment', () => {
  const header = { segment: 9, segmentBytes: 1 << 20, nonce, previousEnd: 1_000_000 }
  const written = new Uint8Array(HEADER_BYTES)
  writeHeader(written, header)

  test('comes back as it was written', () => {
    expect(readHeader(written)).toEqual(header)
  })

  test('is empty where nothing, half of it or other bytes stand', () => {
    expect(readHeader(new Uint8Array(HEADER_BYTES))).toBe('empty')
    expect(readHeader(written.subarray(0, 40))).toBe('empty')
    expect(readHeader(new Uint8Array())).toBe('empty')
  })

  test('is none if any bit of it changes', () => {
    for (let bit = 0; bit < 8 * HEADER_BYTES; bit++) {
      expect(readHeader(flipped(written, bit))).toBe('empty')
    }
  })
})

test('positions keep their order in one number', () => {
  const position = fc.record({ segment: fc.nat(2 ** 31 - 1), offset: fc.nat(1 << 24) })
  const property = fc.property(position, position, (one, other) => {
    expect(unpacked(packed(one))).toEqual(one)
    const isBefore =
      one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset)
    expect(packed(one) < packed(other)).toBe(isBefore)
  })
  fc.assert(property, { seed })
})
