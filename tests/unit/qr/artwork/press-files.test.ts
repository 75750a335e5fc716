import sharp from 'sharp'
import { describe, expect, it, test } from 'vitest'
import { PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { inkOf } from '#qr/formats/colour.ts'
import { drawPicture, type Picture } from '../../../../src/server/pictures/pictures.ts'
import { decodePicture } from '../../../support/decode.ts'
import { epsPicture } from '../../../support/eps-picture.ts'
import { pdfPage } from '../../../support/pdf-page.ts'
import { asPng, rgbaOf } from '../../../support/pixels.ts'
import { somePicture } from '../../../support/shown.ts'
import { someOf } from '../../../support/soak.ts'
import { frame, logo } from './sample-artwork.ts'

const { text } = somePicture
const gradient = { kind: 'linear', to: '#b91c1c', angle: 45 } as const
const place = { id: 'a'.repeat(43), size: 7, plate: 'round', margin: 0.5 } as const
const looks = {
  classic: {},
  rounded: { style: 'rounded', foreground: '#1e40af', background: '#f0f9ff' },
  framed: { artwork: { ...PLAIN_ARTWORK, modules: 'dots', eyeFrame: 'circle', frame } },
} as const
const spaces = ['rgb', 'cmyk'] as const
const cases = Object.keys(looks).flatMap((name) =>
  spaces.map((space) => ({ name: name as keyof typeof looks, space })),
)

async function fileOf(picture: Partial<Picture>) {
  const { bytes } = await drawPicture({ ...somePicture, printSize: 50, ...picture })
  return bytes
}
const textOf = async (picture: Partial<Picture>) =>
  Buffer.from(await fileOf(picture)).toString('latin1')

test.each(someOf(cases, 3))('a press file is read: $name, $space', async ({ name, space }) => {
  const eps = await fileOf({ ...looks[name], format: 'eps', space })
  expect(await decodePicture(await epsPicture(eps, 600))).toBe(text)
  const { pixels } = await pdfPage(await fileOf({ ...looks[name], format: 'pdf', space }), 600)
  expect(await decodePicture(await asPng(pixels))).toBe(text)
})

describe('an EPS', () => {
  it('says how large it is, in whole points and exactly', async () => {
    const program = await textOf({ format: 'eps', printSize: 25.4 })
    expect(program).toMatch(/^%!PS-Adobe-3\.0 EPSF-3\.0\n%%BoundingBox: 0 0 72 72\n/)
    expect(program).toContain('\n%%HiResBoundingBox: 0 0 72 72\n')
    const framed = await textOf({ format: 'eps', ...looks.framed, printSize: 50 })
    const [, width, height] = /BoundingBox: 0 0 (\d+) (\d+)/.exec(framed)?.map(Number) ?? []
    expect(width).toBe(142)
    expect(height).toBeGreaterThan(150)
  })

  it('has seven-bit lines of at most 255 characters, and each graphics state that it saves it restores', async () => {
    const artwork = { ...PLAIN_ARTWORK, gradient, logo: place }
    const program = await textOf({ format: 'eps', artwork, logo })
    expect(program).toMatch(/^[\n\x20-\x7e]*$/)
    expect(Math.max(...program.split('\n').map(({ length }) => length))).toBeLessThan(256)
    expect(program.match(/\bgsave\b/g)?.length).toBe(program.match(/\bgrestore\b/g)?.length)
    expect(program).toContain('/ShadingType 2/ColorSpace/DeviceRGB')
    expect(program).toContain(' shfill')
    expect(program).toContain(
      '/DataSource currentfile/ASCIIHexDecode filter/FlateDecode filter>> image',
    )
  })

  it('in CMYK has nothing of red, green and blue', async () => {
    const artwork = { ...PLAIN_ARTWORK, gradient, logo: place, frame }
    const program = await textOf({ format: 'eps', space: 'cmyk', artwork, logo })
    expect(program).not.toMatch(/rgb/i)
    expect(program).toContain('\n0 0 0 0 setcmykcolor\n')
  })
})

describe('a PDF', () => {
  it('with gradient, logo and frame is read in RGB and CMYK', async () => {
    const artwork = { ...PLAIN_ARTWORK, gradient, logo: place, frame }
    for (const space of spaces) {
      const file = await fileOf({ format: 'pdf', space, ecc: 'H', artwork, logo })
      const { pixels, width, height } = await pdfPage(file, 800)
      expect(height).toBeGreaterThan(width)
      expect(await decodePicture(await asPng(pixels))).toBe(text)
      const words = Buffer.from(file).toString('latin1')
      expect(words.includes('DeviceRGB')).toBe(space === 'rgb')
      expect(words.includes('DeviceCMYK')).toBe(space === 'cmyk')
    }
  })
})

describe('CMYK', () => {
  it('prints black with black ink alone, and white with none', () => {
    expect(inkOf('#000', 'cmyk')).toEqual([0, 0, 0, 1])
    expect(inkOf('#ffffff', 'cmyk')).toEqual([0, 0, 0, 0])
    expect(inkOf('#ff0000', 'cmyk')).toEqual([0, 1, 1, 0])
  })
})

describe('a WebP', () => {
  it.each(Object.keys(looks) as (keyof typeof looks)[])(
    'has the pixels of the PNG: %s',
    async (name) => {
      const [one, other] = await Promise.all(
        (['png', 'webp'] as const).map(async (format) => {
          const file = await fileOf({ ...looks[name], format, size: 300 })
          return [await sharp(file).metadata(), Buffer.from((await rgbaOf(file)).data)] as const
        }),
      )
      expect(other?.[0]).toMatchObject({ format: 'webp', width: one?.[0].width })
      expect(other?.[1].equals(one?.[1] ?? Buffer.alloc(0))).toBe(true)
    },
  )

  it('without a background is transparent', async () => {
    const artwork = { ...PLAIN_ARTWORK, transparent: true, frame }
    const file = await fileOf({ format: 'webp', artwork, size: 300 })
    expect((await sharp(file).stats()).isOpaque).toBe(false)
    const flat = sharp(file).flatten({ background: '#ffffff' }).png()
    expect(await decodePicture(await flat.toBuffer())).toBe(text)
  })
})
