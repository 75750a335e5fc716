import { describe, expect, it } from 'vitest'
import { eyeShapes, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { compose } from '#qr/artwork/composition.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { parseColour } from '#qr/formats/colour.ts'
import { encode } from '#qr/symbol/encode.ts'
import { alignmentCentres, isDark } from '#qr/symbol/matrix.ts'
import { loadDecoders } from '../../../../src/server/pictures/checks.ts'
import { drawPicture } from '../../../../src/server/pictures/pictures.ts'

const TEXT = 'https://tessera.example/qr/k7m2xq9'
const plain = { style: 'classic', foreground: '#000000', background: '#ffffff' } as const
const design = { ...plain, text: TEXT, ecc: 'M', compact: false } as const

describe('a picture with artwork', () => {
  it('with square modules and eyes has the pixels of the classic one', () => {
    const matrix = encode(TEXT)
    const scene = sceneOf(matrix, { ...plain, artwork: { ...PLAIN_ARTWORK, modules: 'square' } })
    const { data, width } = compose(scene, 8 * scene.width)
    for (let y = 0; y < matrix.size; y++) {
      for (let x = 0; x < matrix.size; x++) {
        const corner = 4 * (8 * (y + 4) * width + 8 * (x + 4))
        expect(data[corner]).toBe(isDark(matrix, x, y) ? 0 : 255)
        const last = 4 * ((8 * (y + 4) + 7) * width + 8 * (x + 4) + 7)
        expect(data[last]).toBe(isDark(matrix, x, y) ? 0 : 255)
      }
    }
  })

  it('runs from the foreground to the colour of its gradient', () => {
    const matrix = encode(TEXT)
    const gradient = { kind: 'linear', to: '#ff0000', angle: 0 } as const
    const scene = sceneOf(matrix, { ...plain, artwork: { ...PLAIN_ARTWORK, gradient } })
    const { data, width } = compose(scene, 8 * scene.width)
    const at = (x: number, y: number) => data[4 * (8 * (y + 4) * width + 8 * (x + 4) + 4)] as number
    expect(at(0, 0)).toBeLessThan(16)
    expect(at(matrix.size - 1, 0)).toBeGreaterThan(240)
  })

  it('without a background is transparent in PNG, white for programs that know no transparency, and has the background in JPG', async () => {
    const artwork = { ...PLAIN_ARTWORK, transparent: true }
    const matrix = encode(TEXT)
    const { data } = compose(sceneOf(matrix, { ...design, artwork }), 400)
    expect([...data.subarray(0, 4)]).toEqual([255, 255, 255, 0])
    const { zxing } = await loadDecoders()
    const { bytes: png } = await drawPicture({ ...design, artwork, format: 'png', size: 400 })
    expect(await zxing(png, { tryInvert: false })).toBe(TEXT)
    const picture = { ...design, artwork, background: '#fde68a', format: 'jpg', size: 400 } as const
    const { bytes } = await drawPicture(picture)
    expect(await zxing(bytes, { tryInvert: false })).toBe(TEXT)
  })

  it.each(eyeShapes)('has whole alignment patterns among dots: %s eyes', (shape) => {
    const matrix = encode(TEXT)
    const artwork = { ...PLAIN_ARTWORK, modules: 'dots', eyeFrame: shape, eyeBall: shape } as const
    const scene = sceneOf(matrix, { ...plain, artwork })
    const { data, width } = compose(scene, 8 * scene.width)
    const corner = alignmentCentres(matrix.size).at(-1)?.x ?? 0
    for (let y = corner - 2; y <= corner + 2; y++) {
      for (let x = corner - 2; x <= corner + 2; x++) {
        const middle = 4 * ((8 * (y + 4) + 4) * width + 8 * (x + 4) + 4)
        expect(data[middle]).toBe(isDark(matrix, x, y) ? 0 : 255)
      }
    }
  })

  it('gives each eye the colours that were chosen for it', () => {
    const artwork = { ...PLAIN_ARTWORK, eyeFrameColor: '#0000aa', eyeBallColor: '#aa0000' }
    const scene = sceneOf(encode(TEXT), { ...plain, artwork })
    const { data, width } = compose(scene, 8 * scene.width)
    const at = (x: number, y: number) => {
      const start = 4 * ((8 * y + 4) * width + 8 * x + 4)
      return [...data.subarray(start, start + 3)]
    }
    expect(at(4, 4)).toEqual([...parseColour('#0000aa')])
    expect(at(7, 7)).toEqual([...parseColour('#aa0000')])
  })
})
