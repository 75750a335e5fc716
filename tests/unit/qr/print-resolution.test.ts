import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'
import { anyPicture } from '../../support/any-picture.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(12, 400) }

/** The resolution that a file gives, read where its format has it. */
async function resolution(picture: Picture): Promise<number[]> {
  const { bytes } = await drawPicture(picture)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  // JFIF 1.02, APP0: the unit, 1 for dots an inch, and how many across and down.
  if (picture.format === 'jpg') return [view.getUint8(13), view.getUint16(14), view.getUint16(16)]
  // PNG §11.3.4.3, pHYs: how many across and down, and the unit, 1 for pixels a metre.
  const at = Buffer.from(bytes).indexOf('pHYs') + 4
  return [view.getUint8(at + 8), view.getUint32(at), view.getUint32(at + 4)]
}

test('a PNG and a JPEG say how large they are in print', async () => {
  const millimetres = fc
    .integer({ min: 1000 * PRINT_SIZE.min, max: 1000 * PRINT_SIZE.max })
    .map((micrometres) => micrometres / 1000)
  await fc.assert(
    fc.asyncProperty(anyPicture({ module: 1 }), millimetres, async (picture, printSize) => {
      const perMetre = Math.round((picture.size * 1000) / printSize)
      expect(await resolution({ ...picture, printSize })).toEqual([1, perMetre, perMetre])
      const perInch = Math.max(1, Math.round((picture.size * 25.4) / printSize))
      const jpeg = { ...picture, printSize, format: 'jpg' } as const
      expect(await resolution(jpeg)).toEqual([1, perInch, perInch])
    }),
    RUNS,
  )
})
