import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeArtwork } from '#contract/pictures/artwork.ts'
import {
  type FrameChoice,
  frameShapes,
  frameSizes,
  MARGIN,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters, textFigures } from '#qr/artwork/text-figures.ts'
import { encode } from '#qr/symbol/encode.ts'
import { checkLook, loadDecoders } from '../../../../src/server/pictures/checks.ts'
import { drawPicture } from '../../../../src/server/pictures/pictures.ts'
import { boxOf } from '../../../support/figure-box.ts'
import { rgbaOf } from '../../../support/pixels.ts'
import { seed, someOf, times } from '../../../support/soak.ts'

const TEXT = 'https://tessera.example/qr/k7m2xq9'
const colours = { style: 'classic', foreground: '#000000', background: '#ffffff' } as const
const design = { ...colours, text: TEXT, ecc: 'M', compact: false } as const
const frame: FrameChoice = {
  shape: 'below',
  text: 'Scan me',
  size: 'medium',
  color: '#111827',
  textColor: '#ffffff',
}
const words = ['Scan me', 'Menü & Öffnungszeiten', 'Σάρωσέ με', 'Наведи камеру', 'Їжа — ЩО?', 'ẤỆg']

beforeAll(loadLetters)

const anyFrame = fc.record({
  shape: fc.constantFrom(...frameShapes),
  size: fc.constantFrom(...frameSizes),
  text: fc.constantFrom(...words, '', 'i', 'W'.repeat(20), 'Ẳgjpqy|'),
  color: fc.constant('#111827'),
  textColor: fc.constant('#ffffff'),
})

describe('a frame', () => {
  it('leaves the quiet zone blank, and its text stands within the page', () => {
    const symbols = ['A', TEXT, TEXT.repeat(8)].map((text) => encode(text))
    const margins = fc.integer(MARGIN)
    fc.assert(
      fc.property(fc.constantFrom(...symbols), margins, anyFrame, (matrix, margin, chosen) => {
        const artwork = { ...PLAIN_ARTWORK, margin, frame: chosen, transparent: true }
        const scene = sceneOf(matrix, { ...colours, artwork })
        const { width, height, left, top } = scene
        expect([width, height, left, top].every(Number.isInteger)).toBe(true)
        const zone = { left: left - margin, top: top - margin, edge: matrix.size + 2 * margin }
        for (const figure of scene.layers.find(({ name }) => name === 'text')?.figures ?? []) {
          const box = boxOf(figure)
          const isBeside =
            box.bottom <= zone.top ||
            box.top >= zone.top + zone.edge ||
            box.right <= zone.left ||
            box.left >= zone.left + zone.edge
          expect(isBeside).toBe(true)
          expect(Math.min(box.left, box.top)).toBeGreaterThan(0)
          expect(box.right).toBeLessThan(width)
          expect(box.bottom).toBeLessThan(height)
        }
      }),
      { seed, numRuns: times(50, 3_000) },
    )
  })

  it.each(frameShapes)('keeps four modules from the edge of the picture: %s', (shape) => {
    const artwork = { ...PLAIN_ARTWORK, frame: { ...frame, shape, text: 'W'.repeat(20) } }
    const { layers, width, height } = sceneOf(encode(TEXT), { ...colours, artwork })
    const drawn = layers.filter(({ name }) => name !== 'background')
    const boxes = drawn.flatMap(({ figures }) => figures.map(boxOf))
    expect(Math.min(...boxes.map(({ left, top }) => Math.min(left, top)))).toBe(4)
    expect(Math.max(...boxes.map(({ right }) => right))).toBe(width - 4)
    expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBe(height - 4)
  })

  it.each(frameShapes)('paints nothing of %s into the quiet zone', async (shape) => {
    for (const size of frameSizes) {
      const matrix = encode(TEXT)
      const artwork = { ...PLAIN_ARTWORK, frame: { ...frame, shape, size, color: '#ff0000' } }
      const scene = sceneOf(matrix, { ...colours, artwork })
      const picture = { ...design, artwork, format: 'png', size: 4 * scene.width } as const
      const { data, width } = await rgbaOf((await drawPicture(picture)).bytes)
      const [left, top] = [4 * (scene.left - 4), 4 * (scene.top - 4)]
      const edge = 4 * (matrix.size + 8)
      let painted = 0
      for (let y = top; y < top + edge; y++) {
        for (let x = left; x < left + edge; x++) {
          const at = 4 * (y * width + x)
          if (data[at] !== data[at + 1]) painted++
        }
      }
      expect(painted).toBe(0)
    }
  })

  it.each(frameShapes.flatMap((shape) => frameSizes.map((size) => ({ shape, size }))))(
    'is read around the code in PNG, JPG and SVG: $shape, $size',
    async ({ shape, size }) => {
      const { zxing } = await loadDecoders()
      const artwork = { ...PLAIN_ARTWORK, frame: { ...frame, shape, size } }
      for (const format of ['png', 'jpg', 'svg'] as const) {
        const { bytes } = await drawPicture({ ...design, artwork, format, size: 500 })
        expect(await zxing(await rgbaOf(bytes), { tryInvert: false })).toBe(TEXT)
      }
    },
  )

  it.each(someOf(frameShapes, 3))('leaves the verdict as it is: %s', async (shape) => {
    const bare = await checkLook({ design, size: 512 })
    const artwork = { ...PLAIN_ARTWORK, frame: { ...frame, shape } }
    const framed = await checkLook({ design: { ...design, artwork }, size: 512 })
    expect(framed).toEqual(bare)
  })
})

describe('the text of a frame', () => {
  const faultOf = (text: string) =>
    codeArtwork
      .safeParse({ frame: { ...frame, text } })
      .error?.issues.map(({ path, message }) => ({ path: path.join('.'), message }))

  it.each(words)('can be “%s”', (text) => {
    expect(faultOf(text)).toBeUndefined()
    expect(textFigures({ text, middle: 0, baseline: 0, size: 1 }).length).toBeGreaterThan(2)
  })

  it.each([
    ['Scan 字', '字'],
    ['امسح', 'ا'],
    ['Tap 👍', '👍'],
  ])('with a letter that we cannot draw is refused by the letter: %s', (text, letter) => {
    const message = `We can’t draw the character ‘${letter}’ in a frame.`
    expect(faultOf(text)).toEqual([{ path: 'frame.text', message }])
    expect(() => textFigures({ text, middle: 0, baseline: 0, size: 1 })).toThrow(message)
  })

  it('that does not fit in the smallest letters is refused', () => {
    expect(faultOf('W'.repeat(30))?.[0]?.message).toContain('too wide')
    expect(faultOf('w'.repeat(26))).toBeUndefined()
  })

  it('has letters that fit into each other stand closer', () => {
    const widthOf = (text: string) => {
      const boxes = textFigures({ text, middle: 0, baseline: 0, size: 1 }).map(boxOf)
      return (
        Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
      )
    }
    for (const pair of ['AV', 'To', 'ΑΥ', 'ГА']) {
      const [one = '', other = ''] = pair
      expect(widthOf(pair)).toBeLessThan(widthOf(one) + widthOf(other))
    }
  })

  it('is the same however its accents are spelled', () => {
    const [one, other] = ['Café', 'Cafe\u0301'].map((text) =>
      textFigures({ text, middle: 0, baseline: 0, size: 1 }).map(boxOf),
    )
    expect(one).toEqual(other)
  })
})
