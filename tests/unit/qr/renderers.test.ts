import { describe, expect, test } from 'vitest'
import { colourPresets, type PictureFormat } from '#contract/pictures/pictures.ts'
import { type Style, styles } from '#qr/symbol/look.ts'
import { placeOf } from '../../support/geometry.ts'
import { furthest, meanDifference } from '../../support/pixels.ts'
import { joints, plainShade } from '../../support/seams.ts'
import { foregroundShares } from '../../support/shares.ts'
import { shown, somePicture } from '../../support/shown.ts'
import { inTurn, isSoak } from '../../support/soak.ts'

/*
 * Other programs draw our vectors: librsvg, which many previews use, and Chrome's PDF viewer.
 */

/** Edge of the symbol of `somePicture` with its quiet zone. */
const MODULES = 37

/** How far a channel may be from the PNG's: nowhere, or as far as programs differ in shading curves. */
const OFF: Record<Style, Record<'svg' | 'pdf', number>> = {
  classic: { svg: 0, pdf: 2 },
  rounded: { svg: 32, pdf: 40 },
}
/** On average over all pixels: only those at round edges differ. */
const MEAN_OFF = 1.2

/** From three pixels a module in uneven steps, and what people ask for. */
const someSizes = Array.from({ length: 1400 }, (_, size) => size)
  .filter((size) => size >= 3 * MODULES && size % 23 === 0)
  .concat(333, 512, 777, 1001, 1023)
  .filter((size) => isSoak || [115, 138, 253, 333, 777].includes(size))

describe.each(styles)('a %s picture', (style) => {
  describe.each(['svg', 'pdf'] as const)('as %s', (format) => {
    test('is the PNG where modules are whole pixels, but for shades at round edges', async () => {
      for (const [index, { foreground, background }] of colourPresets.entries()) {
        for (const module of inTurn([3, 5, 8, 13, 20], index)) {
          const png = { ...somePicture, style, foreground, background, size: MODULES * module }
          const [vectors, pixels] = [await shown({ ...png, format }), await shown(png)]
          expect(furthest(vectors, pixels)).toBeLessThanOrEqual(OFF[style][format])
          expect(meanDifference(vectors, pixels)).toBeLessThanOrEqual(MEAN_OFF)
        }
      }
    })

    test('shows no seam between two modules in any number of pixels', async () => {
      for (const size of someSizes)
        expect([size, await seams(style, format, size)]).toEqual([size, []])
    })
  })
})

/** Places that are not wholly dark though they are in the middle of a joint of two dark modules. */
async function seams(style: Style, format: PictureFormat, size: number) {
  const picture = { ...somePicture, style, format, size }
  const shares = foregroundShares(await shown(picture), picture)
  return joints(placeOf(picture)).filter(({ x, y }) => shares[y * size + x] !== 1)
}

test.each(['svg', 'pdf'] as const)(
  'every pixel of a classic %s that touches modules of one colour has that colour, at any size',
  async (format) => {
    for (const size of someSizes) {
      const picture = { ...somePicture, format, size }
      const place = placeOf(picture)
      const off = foregroundShares(await shown(picture), picture).findIndex((share, at) => {
        const meant = plainShade(place, at % size, Math.floor(at / size))
        return meant !== undefined && share !== meant
      })
      expect([size, off]).toEqual([size, -1])
    }
  },
)
