import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { compose } from '#qr/artwork/composition.ts'
import { resize } from '#qr/artwork/resize.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters } from '#qr/artwork/text-figures.ts'
import { manyColoursPng } from '#qr/formats/pixels-png.ts'
import { encode } from '#qr/symbol/encode.ts'
import { drawPicture } from '../../../../src/server/pictures/pictures.ts'
import { rgbaOf } from '../../../support/pixels.ts'
import { somePicture } from '../../../support/shown.ts'
import { frame, logo } from './sample-artwork.ts'

const artwork = {
  ...PLAIN_ARTWORK,
  modules: 'dots',
  eyeFrame: 'circle',
  eyeBall: 'leaf',
  gradient: { kind: 'radial', to: '#b91c1c', angle: 0 },
  logo: { id: 'a'.repeat(43), size: 5, plate: 'round', margin: 0.5 },
  frame,
} as const

/** Pixels as a generator of numbers makes them; `kinds` different ones. */
function noise(width: number, height: number, { kinds = 2 ** 24, alpha = 255 } = {}) {
  let state = 1
  return Int32Array.from({ length: width * height }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return ((((state >>> 8) % kinds) * 0x010305) % 2 ** 24) | (alpha << 24)
  })
}

describe('a PNG of many colours', () => {
  const pictures = {
    noise: { width: 300, height: 300, words: noise(300, 300) },
    'few colours in any order': { width: 257, height: 90, words: noise(257, 90, { kinds: 3 }) },
    'transparent noise': { width: 150, height: 80, words: noise(150, 80, { alpha: 90 }) },
    'a single pixel': { width: 1, height: 1, words: noise(1, 1) },
    'one colour, wide': { width: 4096, height: 40, words: new Int32Array(4096 * 40).fill(-2) },
    'the same row again and again': {
      width: 5000,
      height: 30,
      words: Int32Array.from({ length: 150_000 }, (_, at) => -1 - ((at % 5000) % 70)),
    },
  }

  it.each(Object.entries(pictures))('has just those pixels: %s', async (_, picture) => {
    const { width, height, words } = picture
    const isOpaque = words.every((word) => word >>> 24 === 255)
    const rows = 7
    const bands = Array.from({ length: Math.ceil(height / rows) }, (_, band) =>
      words.subarray(band * rows * width, (band + 1) * rows * width),
    )
    const file = Buffer.from(manyColoursPng({ width, height, isOpaque }, bands))
    const drawn = await sharp(file).ensureAlpha().raw().toBuffer()
    expect(drawn.equals(Buffer.from(words.buffer))).toBe(true)
    // Other decoders look at the checksum too.
    const data = file.subarray(file.indexOf('IDAT') + 4, file.indexOf('IEND') - 8)
    expect(inflateSync(data).length).toBe(height * (1 + width * (isOpaque ? 3 : 4)))
  })
})

describe('a picture that is drawn in bands', () => {
  it('has the pixels of the whole one', async () => {
    await loadLetters()
    const look = { ...somePicture, artwork, logo, ecc: 'H' } as const
    const { data, width, height } = compose(sceneOf(encode(look.text, look), look), 900, logo)
    const { bytes } = await drawPicture({ ...look, format: 'png', size: 900 })
    const drawn = await rgbaOf(bytes)
    expect(drawn).toMatchObject({ width, height })
    expect(Buffer.from(drawn.data).equals(Buffer.from(data))).toBe(true)
  })
})

describe('a picture at another size', () => {
  it('keeps a plain colour, and what is transparent lends none', () => {
    const words = new Int32Array(64).fill(0x00ffffff)
    for (let y = 2; y < 6; y++) words.fill(0xff3366cc | 0, 8 * y + 2, 8 * y + 6)
    const data = new Uint8ClampedArray(words.buffer)
    for (const edge of [2, 3, 4, 5, 8, 20]) {
      const { width, data: scaled } = resize({ width: 8, height: 8, data }, edge, edge)
      expect(width).toBe(edge)
      const seen = new Int32Array(scaled.buffer).filter((word) => word >>> 24 > 0)
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.every((word) => (word & 0xffffff) === 0x3366cc)).toBe(true)
    }
  })
})

describe('an SVG with artwork', () => {
  it('has a group for frame, code and logo, a path for each part, and no raster picture but the logo', async () => {
    const picture = { ...somePicture, artwork, logo, ecc: 'H', format: 'svg' } as const
    const { bytes } = await drawPicture(picture)
    const text = Buffer.from(bytes).toString()
    const ids = [...text.matchAll(/<(\w+) id="([\w-]+)"/g)].map(([, tag, id]) => `${tag} ${id}`)
    expect(ids).toEqual([
      ...['radialGradient ink', 'path background'],
      ...['g frame', 'path frame-shape', 'path frame-ground', 'path frame-text'],
      ...['g code', 'path modules', 'path rings', 'path balls'],
      ...['g logo', 'path plate'],
    ])
    expect(text).toContain(' xmlns:xlink="http://www.w3.org/1999/xlink" ')
    expect(text.match(/<image [^>]*xlink:href="data:/g)).toHaveLength(1)
    expect(text).not.toMatch(/<(script|style|text|clipPath|mask|filter|foreignObject)/)
  })
})
