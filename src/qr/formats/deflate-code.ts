import { shorten } from './huffman.ts'

/* Huffman codes as deflate has them. Paragraphs are those of RFC 1951. */

/** By symbol: the code's bits, the first one lowest, and how many there are. */
export interface Code {
  readonly bits: Uint16Array
  readonly sizes: Uint8Array
}

/** §3.2.2 */
export function codeOf(counts: Int32Array, longest: number): Code {
  const symbols = byFrequency(counts)
  const perLength = codesPerLength(
    symbols.map((symbol) => counts[symbol] as number),
    longest,
  )
  const sizes = new Uint8Array(counts.length)
  let rank = 0
  perLength.forEach((count, length) => {
    for (let each = 0; each < count; each++) sizes[symbols[rank++] as number] = length
  })
  const bits = new Uint16Array(counts.length)
  let code = 0
  for (let length = 1; length <= longest; length++) {
    sizes.forEach((size, symbol) => {
      if (size === length) bits[symbol] = reversed(code++, length)
    })
    code <<= 1
  }
  return { bits, sizes }
}

function reversed(bits: number, count: number): number {
  let result = 0
  for (let at = 0; at < count; at++) result = (result << 1) | ((bits >> at) & 1)
  return result
}

/** The symbols that occur. The frequencies alone decide, since a longer code is never more frequent. */
function byFrequency(counts: Int32Array): number[] {
  const used: number[] = []
  counts.forEach((count, symbol) => {
    if (count > 0) used.push(symbol)
  })
  return used.sort(
    (one, other) => (counts[other] as number) - (counts[one] as number) || one - other,
  )
}

/**
 * How many codes have 0, 1, 2 … bits: the two rarest trees are joined until one is left. Trees that
 * were joined come in the order of their frequencies, so both queues begin with their rarest.
 *
 * @param frequencies from the highest to the lowest
 * @param longest most bits that a code may have, at most 16
 */
function codesPerLength(frequencies: readonly number[], longest: number): number[] {
  const leaves = frequencies.length
  const weights = new Float64Array(2 * leaves)
  for (let leaf = 0; leaf < leaves; leaf++) weights[leaf] = frequencies[leaves - 1 - leaf] as number
  const parents = new Int32Array(2 * leaves)
  let [leaf, joined] = [0, leaves]
  for (let next = leaves; next < 2 * leaves - 1; next++) {
    for (let child = 0; child < 2; child++) {
      const isLeaf =
        leaf < leaves &&
        (joined === next || (weights[leaf] as number) < (weights[joined] as number))
      const rarest = isLeaf ? leaf++ : joined++
      weights[next] = (weights[next] as number) + (weights[rarest] as number)
      parents[rarest] = next
    }
  }
  const perLength = new Array<number>(Math.max(longest, leaves) + 1).fill(0)
  const depths = new Int32Array(2 * leaves)
  for (let tree = 2 * leaves - 3; tree >= 0; tree--) {
    const depth = (depths[parents[tree] as number] as number) + 1
    depths[tree] = depth
    if (tree < leaves) perLength[depth] = (perLength[depth] as number) + 1
  }
  shorten(perLength, longest)
  return perLength
}
