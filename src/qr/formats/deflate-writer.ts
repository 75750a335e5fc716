import { type Code, codeOf } from './deflate-code.ts'

/*
 * Writes the zlib format (RFC 1950) for a caller that finds the repetitions. Paragraphs are those of
 * RFC 1951.
 */

const END_OF_BLOCK = 256
const LITERALS = 286
const DISTANCES = 30
/** Bytes and repetitions that share a code. */
const BLOCK = 2 ** 16
const SHORTEST = 3
const LONGEST = 258
const ADLER = 65521
/** Numbers of a ring. */
export const REMEMBERED = 2 ** 15
/** A repetition is one number: its distance, and above it its length. */
const LENGTH = 16
const DISTANCE = 2 ** LENGTH - 1

/** §3.2.5: of each symbol the first length or distance, and how many bits more there are. */
const lengths = stepsOf(SHORTEST, 4, LITERALS - END_OF_BLOCK - 2)
const distances = stepsOf(1, 2, DISTANCES)
const lengthSymbols = new Uint8Array(LONGEST + 1)
lengths.first.forEach((first, symbol) => {
  lengthSymbols.fill(symbol, first)
})
// 258 has a symbol of its own, without more bits.
lengthSymbols[LONGEST] = LITERALS - END_OF_BLOCK - 2

/** Ranges that double in width: `each` symbols of a width, and twice as many of the width 1. */
function stepsOf(start: number, each: number, count: number) {
  const first = new Int32Array(count)
  const bits = new Uint8Array(count)
  for (let symbol = 0, at = start; symbol < count; symbol++) {
    first[symbol] = at
    bits[symbol] = Math.max(0, Math.floor(symbol / each) - 1)
    at += 1 << (bits[symbol] as number)
  }
  return { first, bits }
}

function distanceSymbol(distance: number): number {
  if (distance <= 2) return distance - 1
  const bits = 30 - Math.clz32(distance - 1)
  return 2 * bits + ((distance - 1) >> bits)
}

/** Bytes go in as they are, as zeros or as a repetition; of a repetition their sum goes in as well. */
export class DeflateWriter {
  /** A repetition, or up to four bytes */
  readonly #tokens = new Int32Array(BLOCK)
  /** How many bytes a token is, 0 of a repetition */
  readonly #sizes = new Uint8Array(BLOCK)
  readonly #bits = new LowFirstBits()
  #count = 0
  /** RFC 1950 §8.2: both sums of Adler-32. */
  #sum = 1
  #sums = 0

  constructor() {
    // RFC 1950 §2.2: deflate with a window of 32 kB.
    this.#bits.write(0x0178, 16)
  }

  literal(byte: number) {
    this.#token(byte, 1)
    this.#sum += byte
    this.#sums += this.#sum
  }

  /** The lowest bytes of some of a ring's numbers, the lowest byte first; the last one is left out. */
  literals(ring: Int32Array, from: number, to: number, bytes: number) {
    if (this.#count + to - from > BLOCK) this.#writeBlock(0)
    const tokens = this.#tokens
    const sizes = this.#sizes
    let count = this.#count
    for (let at = from; at < to; at++) {
      tokens[count] = ring[at & (REMEMBERED - 1)] as number
      sizes[count++] = bytes
    }
    this.#count = count
    this.sum(ring, from, to, bytes)
  }

  zeros(count: number) {
    this.literal(0)
    let left = count - 1
    for (; left >= SHORTEST; left -= Math.min(LONGEST, left))
      this.repeat(Math.min(LONGEST, left), 1)
    this.#sums += (count - 1 - left) * this.#sum
    for (; left > 0; left--) this.literal(0)
  }

  /** @param length 3 to 258 bytes @param distance 1 to 32768 bytes before the next one */
  repeat(length: number, distance: number) {
    this.#token((length << LENGTH) | distance, 0)
  }

  #token(token: number, size: number) {
    if (this.#count === BLOCK) this.#writeBlock(0)
    this.#tokens[this.#count] = token
    this.#sizes[this.#count++] = size
  }

  /** Adds repeated bytes to the checksum. */
  sum(ring: Int32Array, from: number, to: number, bytes: number) {
    let sum = this.#sum
    let sums = this.#sums
    for (let at = from; at < to; at++) {
      const number = ring[at & (REMEMBERED - 1)] as number
      if (number === 0) sums += bytes * sum
      else {
        for (let byte = 0; byte < bytes; byte++) {
          sum += (number >>> (8 * byte)) & 255
          sums += sum
        }
      }
    }
    this.#sum = sum
    this.#sums = sums
  }

  /** To be called after at most a million bytes. */
  endRow() {
    this.#sum %= ADLER
    this.#sums %= ADLER
  }

  end(): Uint8Array {
    this.#writeBlock(1)
    this.endRow()
    this.#bits.endByte()
    for (const half of [this.#sums, this.#sum]) {
      this.#bits.write(half >> 8, 8)
      this.#bits.write(half & 255, 8)
    }
    return this.#bits.bytes()
  }

  /** §3.2.7: a block with codes of its own. */
  #writeBlock(isLast: 0 | 1) {
    const tokens = { values: this.#tokens.subarray(0, this.#count), sizes: this.#sizes }
    this.#count = 0
    const counts = countsOf(tokens)
    const literals = codeOf(counts.literals, 15)
    const far = codeOf(counts.distances, 15)
    this.#bits.write(isLast | (2 << 1), 3)
    writeCodes(this.#bits, literals, far)
    const parts = { literals: joined(literals), far: joined(far), lengths: lengthCodes(literals) }
    this.#bits.writeTokens(tokens, parts)
    this.#bits.write(literals.bits[END_OF_BLOCK] as number, literals.sizes[END_OF_BLOCK] as number)
  }
}

interface Tokens {
  readonly values: Int32Array
  readonly sizes: Uint8Array
}

function countsOf({ values, sizes }: Tokens) {
  const literals = new Int32Array(LITERALS)
  const distances = new Int32Array(DISTANCES)
  literals[END_OF_BLOCK] = 1
  // A code needs two symbols at least.
  distances.fill(1, 0, 2)
  const count = (counts: Int32Array, symbol: number) => {
    counts[symbol] = (counts[symbol] as number) + 1
  }
  for (let at = 0; at < values.length; at++) {
    let value = values[at] as number
    const size = sizes[at] as number
    if (size === 0) {
      count(literals, END_OF_BLOCK + 1 + (lengthSymbols[value >> LENGTH] as number))
      count(distances, distanceSymbol(value & DISTANCE))
    }
    for (let byte = 0; byte < size; byte++, value >>= 8) count(literals, value & 255)
  }
  return { literals, distances }
}

/** Codes with what comes after them: the bits, and above 24 of them how many there are. */
interface Codes {
  readonly literals: Int32Array
  readonly far: Int32Array
  /** By a repetition's length */
  readonly lengths: Int32Array
}

const SIZE = 24
const BITS = 2 ** SIZE - 1

const joined = ({ bits, sizes }: Code) =>
  Int32Array.from(bits, (code, symbol) => code | ((sizes[symbol] as number) << SIZE))

function lengthCodes({ bits, sizes }: Code): Int32Array {
  return Int32Array.from(lengthSymbols, (step, length) => {
    const symbol = END_OF_BLOCK + 1 + step
    const size = sizes[symbol] as number
    const more = length === LONGEST ? 0 : (lengths.bits[step] as number)
    const own = more === 0 ? 0 : length - (lengths.first[step] as number)
    return (bits[symbol] as number) | (own << size) | ((size + more) << SIZE)
  })
}

/** §3.2.7: the order in which the lengths of the codes of lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const SHORT_ZEROS = { symbol: 17, least: 3, most: 10, bits: 3 }
const LONG_ZEROS = { symbol: 18, least: 11, most: 138, bits: 7 }

function writeCodes(bits: LowFirstBits, literals: Code, far: Code) {
  const words = [...wordsOf([...literals.sizes, ...far.sizes])]
  const counts = new Int32Array(ORDER.length)
  for (const { symbol } of words) counts[symbol] = (counts[symbol] as number) + 1
  const code = codeOf(counts, 7)
  bits.write(LITERALS - 257, 5)
  bits.write(DISTANCES - 1, 5)
  bits.write(ORDER.length - 4, 4)
  for (const symbol of ORDER) bits.write(code.sizes[symbol] as number, 3)
  for (const { symbol, more, count } of words) {
    bits.write(code.bits[symbol] as number, code.sizes[symbol] as number)
    bits.write(more, count)
  }
}

/** Lengths of codes, zeros that follow one another together. */
function* wordsOf(sizes: number[]) {
  for (let at = 0; at < sizes.length; ) {
    let end = at
    while (end < sizes.length && sizes[end] === 0) end++
    const zeros = end - at
    const { symbol, least, most, bits } = zeros >= LONG_ZEROS.least ? LONG_ZEROS : SHORT_ZEROS
    if (zeros < least) yield { symbol: sizes[at++] as number, more: 0, count: 0 }
    else {
      const length = Math.min(zeros, most)
      yield { symbol, more: length - least, count: bits }
      at += length
    }
  }
}

/** Bits from the lowest to the highest of each byte (§3.1.1). */
class LowFirstBits {
  #bytes = new Uint8Array(2 ** 16)
  #length = 0
  #pending = 0
  #count = 0

  /** @param count number of bits, 0 to 16 */
  write(bits: number, count: number) {
    this.#pending |= bits << this.#count
    this.#count += count
    this.#reserve(ROOM)
    while (this.#count >= 8) {
      this.#bytes[this.#length++] = this.#pending & 255
      this.#pending = (this.#pending >>> 8) | 0
      this.#count -= 8
    }
  }

  writeTokens({ values, sizes }: Tokens, { literals, far, lengths: repeated }: Codes) {
    // A token has at most 60 bits.
    this.#reserve(8 * values.length + ROOM)
    const bytes = this.#bytes
    let length = this.#length
    let pending = this.#pending
    let count = this.#count
    for (let at = 0; at < values.length; at++) {
      let value = values[at] as number
      const size = sizes[at] as number
      for (let byte = 0; byte < size; byte++, value >>= 8) {
        const code = literals[value & 255] as number
        pending |= (code & BITS) << count
        count += code >> SIZE
        if (count < 16) continue
        bytes[length++] = pending
        bytes[length++] = pending >> 8
        pending = pending >>> 16
        count -= 16
      }
      if (size > 0) continue
      for (; count >= 8; count -= 8, pending >>= 8) bytes[length++] = pending
      const code = repeated[value >> LENGTH] as number
      pending |= (code & BITS) << count
      count += code >> SIZE
      for (; count >= 8; count -= 8, pending >>= 8) bytes[length++] = pending
      const distance = value & DISTANCE
      const symbol = distanceSymbol(distance)
      const step = far[symbol] as number
      pending |= (step & BITS) << count
      count += step >> SIZE
      for (; count >= 8; count -= 8, pending >>= 8) bytes[length++] = pending
      pending |= (distance - (distances.first[symbol] as number)) << count
      count += distances.bits[symbol] as number
      for (; count >= 8; count -= 8, pending >>= 8) bytes[length++] = pending
    }
    for (; count >= 8; count -= 8, pending >>>= 8) bytes[length++] = pending
    this.#length = length
    this.#pending = pending
    this.#count = count
  }

  endByte() {
    if (this.#count > 0) this.write(0, 8 - this.#count)
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(more: number) {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(2 * this.#bytes.length + more)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** More than one call of `write` takes. */
const ROOM = 4
