import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { colourPresets, imageFormats, styles } from '#contract/codes.ts'
import { encode } from '#qr/encode.ts'
import { fullSize } from '#qr/matrix.ts'
import { drawPicture, type Picture } from '../../../src/server/codes/pictures.ts'
import { decodePicture } from '../../support/decode.ts'

const LINK = 'https://tessera.example/qr/k7m2xq9'

/** What a scanner reads; an SVG is drawn first, as a browser or a printer would. */
async function scanned(picture: Picture, inverted = false): Promise<string | null> {
  const { bytes } = await drawPicture(picture)
  const pixels = picture.format === 'svg' ? await sharp(bytes).png().toBuffer() : bytes
  return decodePicture(pixels, { inverted })
}

describe.each(styles)('%s', (style) => {
  for (const { name, foreground, background } of colourPresets) {
    test.each(imageFormats)(`the preset ${name} scans as %s`, async (format) => {
      const inverted = name === 'Dark'
      for (const size of [128, 256, 1024]) {
        const picture = {
          text: LINK,
          ecc: 'M' as const,
          format,
          style,
          foreground,
          background,
          size,
        }
        expect(await scanned(picture, inverted)).toBe(LINK)
      }
    })
  }

  test('a picture of 4,096 pixels scans', async () => {
    const colours = { foreground: '#000', background: '#fff' }
    const picture = {
      text: LINK,
      ecc: 'M' as const,
      format: 'png',
      style,
      ...colours,
      size: 4096,
    } as const
    expect(await scanned(picture)).toBe(LINK)
  })
})

const anyText = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
  fc.stringMatching(/^[0-9]{1,60}$/),
  fc.stringMatching(/^[0-9A-Z $%*+./:-]{1,60}$/),
)

test('any text in any style scans from three pixels a module', async () => {
  const pixels = fc.integer({ min: 0, max: 500 })
  const formats = fc.constantFrom(...imageFormats)
  const sample = fc.asyncProperty(anyText, fc.constantFrom(...styles), formats, pixels, scans)
  await fc.assert(sample, { seed: 18004, numRuns: 40 })
})

async function scans(
  text: string,
  style: Picture['style'],
  format: (typeof imageFormats)[number],
  more: number,
): Promise<void> {
  const size = 3 * fullSize(encode(text)) + more
  const colours = { foreground: '#000', background: '#fff' }
  expect(await scanned({ text, ecc: 'M', format, style, ...colours, size })).toBe(text)
}
