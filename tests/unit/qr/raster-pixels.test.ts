import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { parseColour } from '#qr/formats/colour.ts'
import { raster } from '#qr/formats/raster.ts'
import { encode } from '#qr/symbol/encode.ts'
import { FINDER_SIZE, isDark } from '#qr/symbol/matrix.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'
import { anyPicture } from '../../support/any-picture.ts'
import { drawnByHand, finderPlaces, placeOf } from '../../support/geometry.ts'
import { coloursOf, furthest } from '../../support/pixels.ts'
import { foregroundShares } from '../../support/shares.ts'
import { shown, somePicture } from '../../support/shown.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(12, 400) }

const metadataOf = async (picture: Picture) => sharp((await drawPicture(picture)).bytes).metadata()

describe('a classic PNG', () => {
  test('of any link in any look is drawn as by hand, a pixel at a time', async () => {
    const drawn = anyPicture({ module: 1 }).map((picture) => ({
      ...picture,
      style: 'classic' as const,
    }))
    await fc.assert(
      fc.asyncProperty(drawn, async (picture) => {
        expect(furthest(await shown(picture), drawnByHand(picture))).toBe(0)
      }),
      RUNS,
    )
  })

  test('has two colours and one bit a pixel', async () => {
    for (const { foreground, background } of colourPresets) {
      const picture = { ...somePicture, foreground, background, size: 301 }
      expect(await metadataOf(picture)).toMatchObject({ isPalette: true, bitsPerSample: 1 })
      const colours = [foreground, background].map((colour) => parseColour(colour).join())
      expect(coloursOf(await shown(picture)).sort()).toEqual(colours.sort())
    }
  })
})

describe('a rounded PNG', () => {
  test('has at most 16 colours, all between its two, and four bits a pixel', async () => {
    for (const { foreground, background } of colourPresets) {
      const picture = {
        ...somePicture,
        style: 'rounded',
        foreground,
        background,
        size: 301,
      } as const
      expect(await metadataOf(picture)).toMatchObject({ isPalette: true, bitsPerSample: 4 })
      const colours = coloursOf(await shown(picture))
      expect(colours.length).toBeLessThanOrEqual(16)
      const ends = [parseColour(foreground), parseColour(background)]
      for (const channel of [0, 1, 2]) {
        const values = ends.map((end) => end[channel] as number)
        const found = colours.map((colour) => Number(colour.split(',')[channel]))
        expect([Math.min(...found), Math.max(...found)]).toEqual([
          Math.min(...values),
          Math.max(...values),
        ])
      }
    }
  })

  test('has the module’s colour in the middle of every module from three pixels a module', async () => {
    const drawn = anyPicture({ module: 3 }).map((picture) => ({
      ...picture,
      style: 'rounded' as const,
    }))
    await fc.assert(fc.asyncProperty(drawn, expectCentres), RUNS)
  })
})

test('a raster has whole pixels', () => {
  const symbol = encode(somePicture.text)
  expect(() => raster(symbol, { style: 'classic', size: 99.5 })).toThrow(RangeError)
})

test('a picture has at least a pixel a module', () => {
  const symbol = encode(somePicture.text)
  for (const style of ['classic', 'rounded'] as const) {
    expect(raster(symbol, { style, size: 37 }).size).toBe(37)
    expect(() => raster(symbol, { style, size: 36 })).toThrow('It needs at least 37')
  }
})

async function expectCentres(picture: Picture) {
  const { matrix, module, start } = placeOf(picture)
  const shares = foregroundShares(await shown(picture), picture)
  // The one pixel in the middle of a module, or the four around it.
  const middle = [Math.floor((module - 1) / 2), Math.floor(module / 2)]
  const shareAt = (x: number, y: number) => shares[y * picture.size + x] as number
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      const [left, top] = [start + x * module, start + y * module]
      const four = middle.flatMap((dx) => middle.map((dy) => shareAt(left + dx, top + dy)))
      const meant = Number(isDark(matrix, x, y))
      const off = Math.abs(four.reduce((sum, share) => sum + share, 0) / 4 - meant)
      if (isFinder(x, y) ? off >= 0.5 : off > 0) expect({ x, y, four }).toBe(meant)
    }
  }

  /** There a curve may touch the middle of a corner's module. */
  function isFinder(x: number, y: number): boolean {
    const isIn = (left: number, at: number) => at >= left && at < left + FINDER_SIZE
    return finderPlaces(matrix).some(([left, top]) => isIn(left, x) && isIn(top, y))
  }
}
