import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { shades } from '#qr/formats/colour.ts'
import { jpeg } from '#qr/formats/jpeg.ts'
import { type Raster, raster } from '#qr/formats/raster.ts'
import { encode } from '#qr/symbol/encode.ts'
import { styles } from '#qr/symbol/look.ts'

const LINK = 'https://tessera.example/qr/k7m2xq9'
/** No channel of any pixel of these pictures is off by more: at 98 of 100 libjpeg is off by 12. */
const OFF_MAX = 12

async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return { data, ...info }
}

/** The picture as it was before it was compressed: red, green, blue of each pixel. */
function meant(picture: Raster, foreground: string, background: string): Uint8Array {
  const palette = shades(background, foreground, picture.shades)
  const data = new Uint8Array(3 * picture.size ** 2)
  picture.rows.forEach((row, y) => {
    row.forEach((shade, x) => {
      data.set(palette.subarray(3 * shade, 3 * shade + 3), 3 * (y * picture.size + x))
    })
  })
  return data
}

function largestDifference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? 0))), 0)
}

describe.each(styles)('a %s JPEG', (style) => {
  const draw = (size: number) => raster(encode(LINK), { style, size })

  test.each(colourPresets)('has no halo in $name', async ({ foreground, background }) => {
    const picture = draw(512)
    const { data, channels } = await pixelsOf(jpeg(picture, { foreground, background }))
    expect(channels).toBe(3)
    const difference = largestDifference(data, meant(picture, foreground, background))
    expect(difference).toBeLessThanOrEqual(OFF_MAX)
  })

  test('keeps the colour of its plain areas', async () => {
    for (const { foreground, background } of colourPresets) {
      const { data } = await pixelsOf(jpeg(draw(333), { foreground, background }))
      const corner = meant(draw(333), foreground, background).subarray(0, 3)
      expect(largestDifference(data.subarray(0, 3), corner)).toBeLessThanOrEqual(1)
    }
  })

  test('is baseline, in full colour resolution, for 300 dots an inch', async () => {
    const bytes = jpeg(draw(256), { foreground: '#1e40af', background: '#f0f9ff' })
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({
      format: 'jpeg',
      space: 'srgb',
      chromaSubsampling: '4:4:4',
      isProgressive: false,
      density: 300,
    })
  })
})

test('a foreground that is the background makes a plain picture', async () => {
  const picture = raster(encode(LINK), { style: 'rounded', size: 100 })
  const { data } = await pixelsOf(jpeg(picture, { foreground: '#abc', background: '#abc' }))
  expect(largestDifference(data, meant(picture, '#abc', '#abc'))).toBeLessThanOrEqual(1)
})

test('any raster comes back, not only that of a symbol', async () => {
  let state = 1
  const random = () => {
    state = (state * 48271) % 2147483647
    return state
  }
  const rows = Array.from({ length: 61 }, () =>
    Uint8Array.from({ length: 61 }, () => random() % 16),
  )
  const noise: Raster = { size: 61, shades: 16, rows }
  const { data } = await pixelsOf(jpeg(noise, { foreground: '#123456', background: '#fedcba' }))
  const difference = largestDifference(data, meant(noise, '#123456', '#fedcba'))
  expect(difference).toBeLessThanOrEqual(OFF_MAX)
})
