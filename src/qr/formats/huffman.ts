/** A Huffman code of at most 14 bits a symbol, as JPEG writes it down (ITU-T T.81 §B.2.4.2). */
export interface HuffmanCode {
  /** How many codes have 1 to 16 bits */
  readonly lengths: Uint8Array
  /** The symbols from the shortest code to the longest */
  readonly symbols: Uint8Array
  /** By symbol: the code's bits, and how many there are (0 if the symbol never occurs) */
  readonly bits: Uint16Array
  readonly sizes: Uint8Array
}

const SYMBOLS = 256
/** JPEG allows 16 bits. With 14, a code and the value after it take at most 24. */
const LONGEST = 14
const LENGTHS = 16

/**
 * The shortest code for symbols of these frequencies (ITU-T T.81 §K.2). The code of ones only is
 * forbidden: an extra symbol that never occurs takes it.
 *
 * @param counts how often each symbol occurs, by symbol from 0 to 255
 */
export function huffmanCode(counts: Int32Array): HuffmanCode {
  const perLength = codesPerLength(codeSizes(counts))
  const used = [...counts.keys()].filter((symbol) => (counts[symbol] as number) > 0)
  // More frequent first; the frequencies alone decide, since a longer code is never more frequent.
  used.sort((one, other) => (counts[other] as number) - (counts[one] as number) || one - other)
  return spell(perLength.slice(1, LENGTHS + 1), Uint8Array.from(used))
}

/** How deep each symbol lies once the two rarest trees have been joined until one is left. */
function codeSizes(counts: Int32Array): number[] {
  let trees = [{ count: 1, symbols: [SYMBOLS] }]
  counts.forEach((count, symbol) => {
    if (count > 0) trees.push({ count, symbols: [symbol] })
  })
  const sizes = new Array<number>(SYMBOLS + 1).fill(0)
  while (trees.length > 1) {
    trees.sort((one, other) => other.count - one.count)
    const [rare, rarest] = trees.slice(-2) as [(typeof trees)[0], (typeof trees)[0]]
    const symbols = [...rare.symbols, ...rarest.symbols]
    for (const symbol of symbols) sizes[symbol] = (sizes[symbol] as number) + 1
    trees = [...trees.slice(0, -2), { count: rare.count + rarest.count, symbols }]
  }
  return sizes
}

function codesPerLength(sizes: number[]): number[] {
  const perLength = new Array<number>(SYMBOLS + 1).fill(0)
  for (const size of sizes) if (size > 0) perLength[size] = (perLength[size] as number) + 1
  shorten(perLength, LONGEST)
  const longest = perLength.findLastIndex((count) => count > 0)
  perLength[longest] = (perLength[longest] as number) - 1
  return perLength
}

/**
 * §K.2, figure K.3: moves pairs of codes that are too long up, until no code is.
 *
 * @param perLength how many codes have 0, 1, 2 … bits; is changed
 */
export function shorten(perLength: number[], longest: number) {
  const count = (length: number) => perLength[length] as number
  for (let length = perLength.length - 1; length > longest; length--) {
    while (count(length) > 0) {
      let shorter = length - 2
      while (count(shorter) === 0) shorter--
      perLength[length] = count(length) - 2
      perLength[length - 1] = count(length - 1) + 1
      perLength[shorter + 1] = count(shorter + 1) + 2
      perLength[shorter] = count(shorter) - 1
    }
  }
}

/** §C.2: codes of one length are consecutive numbers, and the next length goes on from there. */
function spell(lengths: number[], symbols: Uint8Array): HuffmanCode {
  const bits = new Uint16Array(SYMBOLS)
  const sizes = new Uint8Array(SYMBOLS)
  let code = 0
  let next = 0
  lengths.forEach((count, index) => {
    for (let each = 0; each < count; each++) {
      const symbol = symbols[next++] as number
      bits[symbol] = code++
      sizes[symbol] = index + 1
    }
    code <<= 1
  })
  return { lengths: Uint8Array.from(lengths), symbols, bits, sizes }
}
