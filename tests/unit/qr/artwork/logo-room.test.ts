import { describe, expect, it, test } from 'vitest'
import { largestLogo, logoCost, RESERVE } from '#qr/artwork/logo-room.ts'
import { draw } from '#qr/scan-check/pixels.ts'
import { codeWordsOf } from '#qr/symbol/code-words.ts'
import { encode } from '#qr/symbol/encode.ts'
import { eccLevels } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'
import { loadDecoders } from '../../../../src/server/pictures/checks.ts'
import { inTurn, someOf } from '../../../support/soak.ts'

const plain = { style: 'classic', foreground: '#000000', background: '#ffffff' } as const

const textOf = (length: number) =>
  `https://tessera.example/qr/${'k7m2xq9w'.repeat(300)}`.slice(0, length)

/** Turns over one module of each of these code words. */
function spoiled({ size, modules }: Matrix, wordAt: Int16Array, words: number[]): Matrix {
  const turned = modules.slice()
  for (const word of words) {
    const at = wordAt.indexOf(word)
    turned[at] = turned[at] === 1 ? 0 : 1
  }
  return { size, modules: turned }
}

async function reads(matrix: Matrix, text: string): Promise<boolean> {
  const { zxing } = await loadDecoders()
  return (await zxing(draw(matrix, plain, 8 * (matrix.size + 8)), { tryInvert: false })) === text
}

describe('the code words of a symbol', () => {
  const lengths = [14, 30, 60, 110, 190, 300, 700, 1_200]

  it.each(eccLevels.flatMap((ecc) => lengths.map((length) => ({ ecc, length }))))(
    'are repaired in each block to just as many as the standard says: $ecc, $length characters',
    async ({ ecc, length }) => {
      const text = textOf(length)
      const matrix = encode(text, { ecc })
      const { wordAt, blockOf, blocks, repairs } = codeWordsOf(matrix.size, ecc)
      const wordsOf = (block: number, count: number) =>
        [...blockOf.keys()].filter((word) => blockOf[word] === block).slice(-count)
      const all = Array.from({ length: blocks }, (_, block) => wordsOf(block, repairs)).flat()
      expect(await reads(spoiled(matrix, wordAt, all), text)).toBe(true)
      const tooMany = wordsOf(blocks - 1, repairs + 1)
      expect(await reads(spoiled(matrix, wordAt, tooMany), text)).toBe(false)
    },
  )
})

describe('the largest logo', () => {
  const sizes = Array.from({ length: 40 }, (_, version) => 21 + 4 * version)

  test.each(['none', 'square', 'round'] as const)(
    'leaves the reserve, and one module more does not: plate %s',
    (plate) => {
      for (const [index, size] of someOf(sizes, 3).entries()) {
        for (const ecc of inTurn(eccLevels, index)) {
          const largest = largestLogo(size, ecc, plate)
          if (largest > 0) {
            const cost = logoCost(size, ecc, { size: largest, plate })
            expect(cost).toMatchObject({ touchesPattern: false })
            expect(cost.taken).toBeLessThanOrEqual(1 - RESERVE)
          }
          const next = logoCost(size, ecc, { size: Math.max(3, largest + 1), plate })
          expect(next.touchesPattern || next.taken > 1 - RESERVE).toBe(true)
        }
      }
    },
  )

  it('grows with the correction', () => {
    for (const size of someOf(sizes, 3)) {
      const [low, , , high] = eccLevels.map((ecc) => largestLogo(size, ecc, 'square'))
      expect(high).toBeGreaterThanOrEqual(low as number)
    }
  })

  it('is more than a quarter of the edge of a short link with the highest correction', () => {
    const { size } = encode('https://tessera.example/qr/k7m2xq9w', { ecc: 'H' })
    const largest = largestLogo(size, 'H', 'round')
    expect(largest / size).toBeGreaterThan(0.25)
  })
})
