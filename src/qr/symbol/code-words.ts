import type { Ecc } from './look.ts'
import { alignmentCentres, FINDER_SIZE } from './matrix.ts'

/** For each version from 1: check words in each block, and blocks (ISO/IEC 18004:2024 §7.5.1, table 9). */
const checkWords: Record<Ecc, string> = {
  L: '7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  M: '10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28',
  Q: '13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  H: '17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
}
const blockCounts: Record<Ecc, string> = {
  L: '1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25',
  M: '1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49',
  Q: '1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68',
  H: '1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81',
}

/** Which modules carry which code words, and which words are repaired together. */
export interface CodeWords {
  /** For each module, row by row: the number of its word; FUNCTION if it is part of a pattern, -1 if it is left over */
  readonly wordAt: Int16Array
  /** For each word: its block */
  readonly blockOf: Uint8Array
  readonly blocks: number
  /** Wrong words that each block's check words repair, wherever they are */
  readonly repairs: number
}

/** A module of a finder, timing or alignment pattern, of the format or of the version. */
export const FUNCTION = -2

const MODULES_BEFORE = 17

/** The words of a symbol of `size` modules an edge. */
export function codeWordsOf(size: number, ecc: Ecc): CodeWords {
  const version = (size - MODULES_BEFORE) / 4
  const of = (table: Record<Ecc, string>) => Number(table[ecc].split(' ')[version - 1])
  const [checks, blocks] = [of(checkWords), of(blockCounts)]
  const wordAt = functionModules(size, version)
  const words = place(wordAt, size)
  return { wordAt, blockOf: interleaved(words, checks, blocks), blocks, repairs: checks >> 1 }
}

/** FUNCTION for each module of a pattern, -1 for all others. */
function functionModules(size: number, version: number): Int16Array {
  const modules = new Int16Array(size * size).fill(-1)
  const take = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y++) {
      modules.fill(FUNCTION, y * size + left, y * size + left + width)
    }
  }
  // Finder patterns with their separators and the format beside them (§7.9), and the dark module.
  const corner = FINDER_SIZE + 2
  take(0, 0, corner, corner)
  take(size - corner + 1, 0, corner - 1, corner)
  take(0, size - corner + 1, corner, corner - 1)
  // Timing patterns
  take(0, FINDER_SIZE - 1, size, 1)
  take(FINDER_SIZE - 1, 0, 1, size)
  for (const { x, y } of alignmentCentres(size)) take(x - 2, y - 2, 5, 5)
  // The version stands in two places from version 7 on (§7.10).
  if (version >= 7) {
    take(size - 11, 0, 3, 6)
    take(0, size - 11, 6, 3)
  }
  return modules
}

/** §7.7.3: bits run up and down in strips of two columns from the right; words are eight of them. */
function place(wordAt: Int16Array, size: number): number {
  let bit = 0
  let isUp = true
  const free = wordAt.reduce((count, module) => count + Number(module !== FUNCTION), 0)
  const words = free >> 3
  for (let right = size - 1; right > 0; right -= 2) {
    // The timing pattern's column is in no strip.
    if (right === FINDER_SIZE - 1) right--
    for (let step = 0; step < size; step++) {
      const y: number = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        const at = y * size + x
        if (wordAt[at] === FUNCTION) continue
        if (bit >> 3 < words) wordAt[at] = bit >> 3
        bit++
      }
    }
    isUp = !isUp
  }
  return words
}

/** §7.6: the blocks' first data words, their second, …; then their check words. Shorter blocks come first. */
function interleaved(words: number, checks: number, blocks: number): Uint8Array {
  const data = words - blocks * checks
  const short = Math.floor(data / blocks)
  const long = data % blocks
  const blockOf: number[] = []
  for (let word = 0; word <= short; word++) {
    const first = word < short ? 0 : blocks - long
    for (let block = first; block < blocks; block++) blockOf.push(block)
  }
  for (let word = 0; word < checks; word++) {
    for (let block = 0; block < blocks; block++) blockOf.push(block)
  }
  return Uint8Array.from(blockOf)
}
