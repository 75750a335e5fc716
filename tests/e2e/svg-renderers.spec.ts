import type { Page } from '@playwright/test'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { styles } from '#qr/symbol/look.ts'
import type { Picture } from '../../src/server/pictures/pictures.ts'
import { decodePicture } from '../support/decode.ts'
import { placeOf } from '../support/geometry.ts'
import { furthest, meanDifference, type Pixels, pixelsOf } from '../support/pixels.ts'
import { joints, plainShade } from '../support/seams.ts'
import { foregroundShares } from '../support/shares.ts'
import { somePicture } from '../support/shown.ts'
import { expect, test } from './fixtures.ts'

/**
 * Browser and librsvg differ in the shades of pixels that an edge crosses: Chrome takes four samples
 * a pixel from top to bottom where an outline is long, so an edge is up to a quarter off, and a flat
 * curve up to two.
 */
const OFF = { classic: { most: 64, mean: 0.5 }, rounded: { most: 128, mean: 2 } }

/** A picture of a saved code. */
type CodePicture = Picture & { id: string }

function addressOf({ id, style, foreground, background, size, format }: CodePicture): string {
  const query = { style, fg: foreground, bg: background, size: `${size}`, format }
  return `/api/qr-codes/${id}/generate?${new URLSearchParams(query)}`
}

/** The file itself, opened in the browser as somebody does who downloaded it. */
async function inBrowser(page: Page, picture: CodePicture): Promise<Buffer> {
  await page.setViewportSize({ width: picture.size, height: picture.size })
  await page.goto(addressOf(picture))
  return page.screenshot()
}

/** The same file as librsvg draws it, or a PNG as it is. */
async function elsewhere(page: Page, picture: CodePicture): Promise<Pixels> {
  return pixelsOf(await (await page.request.get(addressOf(picture))).body())
}

/** Pixels that are not of one colour though they touch modules of that colour only. */
function seams(pixels: Pixels, picture: Picture) {
  const place = placeOf(picture)
  const shares = foregroundShares(pixels, picture)
  const isOff = (x: number, y: number, meant: number) => shares[y * picture.size + x] !== meant
  if (picture.style === 'rounded') return joints(place).filter(({ x, y }) => isOff(x, y, 1))
  return Array.from(shares, (_, at) => ({
    x: at % picture.size,
    y: Math.floor(at / picture.size),
  })).filter(({ x, y }) => {
    const meant = plainShade(place, x, y)
    return meant !== undefined && isOff(x, y, meant)
  })
}

function expectAlike(one: Pixels, other: Pixels, { most, mean }: typeof OFF.classic) {
  expect(furthest(one, other)).toBeLessThanOrEqual(most)
  expect(meanDifference(one, other)).toBeLessThanOrEqual(mean)
}

for (const style of styles) {
  test(`a ${style} SVG opens in a browser as in librsvg, without a seam, at odd sizes too`, async ({
    page,
    member,
    server,
  }) => {
    const { id, shortCode } = await (await member()).code()
    const text = `${server.origin}/qr/${shortCode}`
    for (const size of [333, 512, 777, 1001]) {
      const picture = { ...somePicture, id, text, style, format: 'svg', size } as const
      const screen = await inBrowser(page, picture)
      const pixels = await pixelsOf(screen)
      expectAlike(pixels, await elsewhere(page, picture), OFF[style])
      expect(seams(pixels, picture)).toEqual([])
      expect(await decodePicture(screen, { inverted: false })).toBe(text)
    }
  })

  test(`a ${style} SVG in a browser is the PNG where modules are whole pixels`, async ({
    page,
    member,
    server,
  }) => {
    const { id, shortCode } = await (await member()).code()
    const text = `${server.origin}/qr/${shortCode}`
    const { matrix } = placeOf({ ...somePicture, text })
    const size = 9 * (matrix.size + 8)
    for (const { foreground, background } of colourPresets) {
      const picture = { ...somePicture, id, text, style, foreground, background, size }
      const svg = await pixelsOf(await inBrowser(page, { ...picture, format: 'svg' }))
      const off = style === 'classic' ? { most: 0, mean: 0 } : OFF.rounded
      expectAlike(svg, await elsewhere(page, { ...picture, format: 'png' }), off)
    }
  })
}
