import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { normalColour } from '#qr/symbol/look.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'
import { anyPicture } from '../../support/any-picture.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(30, 1_000) }

const anySvg = anyPicture({ format: 'svg', module: 1 })
const documentOf = async (picture: Picture) =>
  Buffer.from((await drawPicture(picture)).bytes).toString()

/** SVG 1.1 §8.3.9, as far as we use it: absolute starts, and relative lines and arcs from there. */
const NUMBER = String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)`
const PATH = new RegExp(
  String.raw`^(?:M${NUMBER} ${NUMBER}(?:[hv]${NUMBER}|a\.?\d+(?:\.\d+)?[ .]\.?\d+(?:\.\d+)? 0 0 [01] ?${NUMBER} ?${NUMBER})+z)+$`,
)

/** The whole document, every character of it: no room for a style, a script, a clip or a reference. */
const DOCUMENT =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="([\d.]+(?:mm)?)" height="([\d.]+(?:mm)?)" viewBox="0 0 (\d+) (\d+)"><path fill="(#[0-9a-f]{6})" d="M0 0h(\d+)v(\d+)H0z"\/><path fill="(#[0-9a-f]{6})" d="([^"<>&]*)"\/><\/svg>\n$/

test('any document is two paths with explicit fills, width, height and viewBox', async () => {
  await fc.assert(
    fc.asyncProperty(anySvg, async (picture) => {
      const [, width, height, ...rest] = DOCUMENT.exec(await documentOf(picture)) ?? []
      const [boxWidth, boxHeight, background, right, bottom, foreground, path] = rest
      expect([width, height]).toEqual([String(picture.size), String(picture.size)])
      expect(new Set([boxWidth, boxHeight, right, bottom]).size).toBe(1)
      expect(background).toBe(normalColour(picture.background))
      expect(foreground).toBe(normalColour(picture.foreground))
      expect(path).toMatch(PATH)
    }),
    RUNS,
  )
})

/** As librsvg is called here; other programs have other resolutions for a screen. */
const PIXELS_PER_MM = 72 / 25.4

test('a document for print has its edge in millimetres, and is that large', async () => {
  const printSizes = fc
    .integer({ min: 10 * PRINT_SIZE.min, max: 1000 })
    .map((tenths) => tenths / 10)
  await fc.assert(
    fc.asyncProperty(anySvg, printSizes, async (picture, printSize) => {
      const text = await documentOf({ ...picture, printSize })
      expect(DOCUMENT.exec(text)?.slice(1, 3)).toEqual([`${printSize}mm`, `${printSize}mm`])
      const { width, height } = await sharp(Buffer.from(text)).metadata()
      expect(Math.abs(width - printSize * PIXELS_PER_MM)).toBeLessThanOrEqual(1)
      expect(height).toBe(width)
    }),
    { ...RUNS, numRuns: times(8, 500) },
  )
})
