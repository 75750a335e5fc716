import fc from 'fast-check'
import { expect, test } from 'vitest'
import { styles } from '#qr/symbol/look.ts'
import type { Picture } from '../../../src/server/pictures/pictures.ts'
import { anyPicture } from '../../support/any-picture.ts'
import { finderPlaces, placeOf } from '../../support/geometry.ts'
import { edges, emptyBorders, foregroundShares } from '../../support/shares.ts'
import { shown, somePicture } from '../../support/shown.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(10, 300) }

/** The pixel rows that lie wholly in a module, or the columns. */
function within(start: number, module: number): number[] {
  const [first, end] = [Math.ceil(start - 1e-9), Math.floor(start + module + 1e-9)]
  return Array.from({ length: end - first }, (_, at) => first + at)
}

/** Every line across a finder pattern's central module, both ways: where it changes colour, and where it is meant to. */
function finderLines(picture: Picture, shares: Float64Array) {
  const { size } = picture
  const { matrix, module, start } = placeOf(picture)
  const at = (modules: number) => start + modules * module
  return finderPlaces(matrix)
    .flatMap(([x, y]) => [
      { along: x, across: y, pixel: (i: number, line: number) => shares[line * size + i] ?? 0 },
      { along: y, across: x, pixel: (i: number, line: number) => shares[i * size + line] ?? 0 },
    ])
    .flatMap(({ along, across, pixel }) => {
      const meant = [0, 1, 2, 5, 6, 7].map((modules) => at(along + modules))
      const [from, end] = [Math.floor(at(along - 0.5)), Math.ceil(at(along + 7.5))]
      return within(at(across + 3), module).map((line) => {
        const pixels = Array.from({ length: end - from }, (_, i) => pixel(from + i, line))
        return { found: edges(pixels).map((edge) => from + edge), meant }
      })
    })
}

/** A half, and what a shade of 8 bits may make of an edge that is just there. */
const HALF_A_PIXEL = 0.5 + 1 / 255

async function expectFinderRatio(picture: Picture) {
  const lines = finderLines(picture, foregroundShares(await shown(picture), picture))
  expect(lines.length).toBeGreaterThanOrEqual(6)
  for (const { found, meant } of lines) {
    expect(found).toHaveLength(meant.length)
    const off = found.map((edge, index) => Math.abs(edge - (meant[index] as number)))
    expect(Math.max(...off)).toBeLessThanOrEqual(HALF_A_PIXEL)
  }
}

test.each(['png', 'svg', 'jpg', 'pdf'] as const)(
  'every line through a finder’s centre reads 1:1:3:1:1 to half a pixel in a %s of any size',
  async (format) => {
    await fc.assert(fc.asyncProperty(anyPicture({ format, module: 3 }), expectFinderRatio), RUNS)
  },
)

test('it does so even with one and two pixels a module in a PNG', async () => {
  for (const style of styles) {
    for (const size of [37, 38, 55, 73, 74, 75, 110]) {
      await expectFinderRatio({ ...somePicture, style, size })
    }
  }
})

/** How far a channel may be off in the empty border: a PDF's numbers are rounded, JPEG's blocks reach over its edge. */
const OFF = { png: 0, svg: 0, pdf: 2, jpg: 16 }

/** The empty border is as wide as this; where an edge crosses a pixel, that one may show nothing of it. */
function expectBorder(found: number, meant: number) {
  const least = Math.floor(meant + 1e-9)
  const isWhole = Math.abs(meant - Math.round(meant)) < 1e-9
  expect(found).toBeGreaterThanOrEqual(least)
  expect(found).toBeLessThanOrEqual(isWhole ? least : least + 1)
}

test.each(['png', 'svg', 'jpg', 'pdf'] as const)(
  'the four modules around a symbol are background, to the last pixel of a %s of any size',
  async (format) => {
    const drawn = anyPicture({ format, module: 1 })
    await fc.assert(
      fc.asyncProperty(drawn, async (picture) => {
        const { module, start, matrix } = placeOf(picture)
        const behind = picture.size - start - matrix.size * module
        expect(Math.min(start, behind)).toBeGreaterThanOrEqual(4 * module - 1e-9)
        const pixels = await shown(picture)
        const borders = emptyBorders(pixels, picture.background, OFF[format])
        borders.forEach((border, index) => {
          expectBorder(border, index < 2 ? start : behind)
        })
      }),
      RUNS,
    )
  },
)
