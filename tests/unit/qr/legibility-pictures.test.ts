import { expect, test } from 'vitest'
import type { Pixels } from '#qr/formats/pixels.ts'
import { damageMargin } from '#qr/scan-check/damage.ts'
import { compareColours, lightOf, srgbOf } from '#qr/scan-check/light.ts'
import { draw, drawModules } from '#qr/scan-check/pixels.ts'
import { blur, inLowLight, noise, seenIn } from '#qr/scan-check/scan-conditions.ts'
import { encode } from '#qr/symbol/encode.ts'
import { styles } from '#qr/symbol/look.ts'
import { isDark, type Matrix } from '#qr/symbol/matrix.ts'
import { loadDecoders } from '../../../src/server/pictures/checks.ts'

const LINK = 'https://tessera.example/qr/k7m2xq9'
const symbol = encode(LINK)
const MODULES = symbol.size + 8
const plain = { style: 'classic', foreground: '#000000', background: '#ffffff' } as const

/** Light of a pixel's green, 0 to 1. */
function lightAt({ data, width }: Pixels, x: number, y: number): number {
  return lightOf(data[4 * (y * width + x) + 1] as number)
}

function meanLight({ data }: Pixels): number {
  let sum = 0
  data.forEach((value, at) => {
    if (at % 4 < 3) sum += lightOf(value)
  })
  return sum / (data.length * 0.75)
}

/** The mean and the deviation of a picture of one colour, as sRGB values. */
function spread({ data }: Pixels): { mean: number; deviation: number } {
  const values = data.filter((_, at) => at % 4 < 3)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) }
}

function plainPaper(value: number): Pixels {
  const data = new Uint8ClampedArray(4 * 64 * 64).fill(value)
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  return { width: 64, height: 64, data }
}

test.each([
  ['#000', '#fff', 21],
  ['#777', '#fff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#1e40af', '#f0f9ff', 8.18],
  ['#abcdef', '#abcdef', 1],
])('the contrast of %s on %s is %d, whichever is in front', (one, other, contrast) => {
  expect(compareColours(one, other).contrast).toBe(contrast)
  expect(compareColours(other, one).contrast).toBe(contrast)
})

test('a code is inverted if its foreground is the lighter colour', () => {
  expect(compareColours('#fff', '#111827').inverted).toBe(true)
  expect(compareColours('#111827', '#fff').inverted).toBe(false)
  expect(compareColours('#111827', '#111827').inverted).toBe(false)
})

test('light and sRGB values translate into each other', () => {
  expect([lightOf(0), lightOf(255), srgbOf(0), srgbOf(1)]).toEqual([0, 1, 0, 255])
  expect(srgbOf(0.2140411)).toBe(127)
  expect([srgbOf(-1), srgbOf(2)]).toEqual([0, 255])
  for (let value = 0; value < 256; value++) {
    expect(Math.abs(srgbOf(lightOf(value)) - value)).toBeLessThanOrEqual(1)
  }
})

test('a drawn picture has both colours exactly, and no transparent pixel', () => {
  const colours = { style: 'classic', foreground: '#1e40af', background: '#f0f9ff' } as const
  const { data, width } = draw(symbol, colours, 100)
  const pixels = Array.from({ length: width * width }, (_, at) =>
    data.slice(4 * at, 4 * at + 4).join(),
  )
  expect(new Set(pixels)).toEqual(new Set(['240,249,255,255', '30,64,175,255']))
})

test('small is two pixels a module', () => {
  const picture = seenIn.small(symbol, plain)
  expect([picture.width, picture.height]).toEqual([2 * MODULES, 2 * MODULES])
  for (let y = 0; y < 2 * MODULES; y++) {
    for (let x = 0; x < 2 * MODULES; x++) {
      const dark = isDark(symbol, Math.floor(x / 2) - 4, Math.floor(y / 2) - 4)
      expect(lightAt(picture, x, y)).toBe(dark ? 0 : 1)
    }
  }
})

test('blurred has the light of the sharp picture, and greys at its edges', () => {
  const sharp = draw(symbol, plain, 4 * MODULES)
  const blurred = seenIn.blurred(symbol, plain)
  expect(blurred.width).toBe(sharp.width)
  expect(meanLight(blurred)).toBeCloseTo(meanLight(sharp), 2)
  const finderEdge = [15, 16].map((x) => lightAt(blurred, x, 30))
  expect(finderEdge[0]).toBeGreaterThan(0.55)
  expect(finderEdge[0]).toBeLessThan(0.85)
  expect((finderEdge[0] as number) + (finderEdge[1] as number)).toBeCloseTo(1, 1)
})

test('a blur spreads a point into a bell of its standard deviation', () => {
  const point = plainPaper(0)
  const centre = 32 * 64 + 32
  point.data.fill(255, 4 * centre, 4 * centre + 3)
  const bell = blur(point, 2)
  const row = Array.from({ length: 64 }, (_, x) => lightAt(bell, x, 32))
  expect(row[32]).toBeCloseTo(1 / (2 * Math.PI * 2 ** 2), 2)
  expect((row[34] as number) / (row[32] as number)).toBeCloseTo(Math.exp(-0.5), 1)
  expect(row[30]).toBe(row[34])
  expect(lightAt(bell, 32, 34)).toBe(row[34])
})

test.each(styles)(
  'black on white in the %s style bears a tenth more blur, not twice as much',
  async (style) => {
    const { zxing, jsqr } = await loadDecoders()
    const sharp = drawModules(symbol, { ...plain, style }, 4)
    const read = async (modules: number) => {
      const blurred = blur(sharp, 4 * modules)
      return [await zxing(blurred, { tryInvert: false }), await jsqr(blurred)]
    }
    expect(await read(0.33)).toEqual([LINK, LINK])
    expect(await read(0.6)).toEqual([null, null])
  },
)

test('low light leaves less contrast than ink has on paper, and noise', () => {
  const [paper, ink] = [spread(inLowLight(plainPaper(255))), spread(inLowLight(plainPaper(0)))]
  expect(paper.mean).toBeGreaterThan(90)
  expect(paper.mean).toBeLessThan(120)
  expect(ink.mean).toBeLessThan(35)
  const light = (value: number) => lightOf(Math.round(value)) + 0.05
  expect(light(paper.mean) / light(ink.mean)).toBeLessThan(4)
  expect(paper.deviation).toBeGreaterThan(5)
})

test('noise has mean 0 and deviation 1, and is the same each time', () => {
  const [once, again] = [noise(), noise()]
  const values = Array.from({ length: 20_000 }, () => once())
  const mean = values.reduce((sum, value) => sum + value) / values.length
  const variance = values.reduce((sum, value) => sum + value ** 2, 0) / values.length
  expect(mean).toBeCloseTo(0, 1)
  expect(variance).toBeCloseTo(1, 1)
  expect(values.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => again()))
})

/** A symbol without a light module, so that all light in it is cover. */
const solid: Matrix = { size: 25, modules: new Uint8Array(25 * 25).fill(1) }

test('damage is a square from the centre that spares the finder patterns', async () => {
  const looks: Pixels[] = []
  const margin = await damageMargin(solid, plain, async (pixels) => looks.push(pixels) > 0)
  const isCovered = (picture: Pixels, column: number, row: number) =>
    lightAt(picture, 4 * (4 + column) + 2, 4 * (4 + row) + 2) === 1
  const [first, last] = [looks[0] as Pixels, looks[6] as Pixels]
  expect([8, 12, 18].map((at) => isCovered(first, at, at))).toEqual([true, true, true])
  expect([5, 7, 19, 21].some((at) => isCovered(first, at, at))).toBe(false)
  expect([7, 8, 12, 16, 17].map((at) => isCovered(last, at, 1))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  expect([7, 8, 12, 23].map((at) => isCovered(last, at, 20))).toEqual([false, true, true, true])
  expect(margin).toBeCloseTo(1 - 3 * (8 / 25) ** 2, 1)
})

test('damage is found in seven looks, as the largest share that was still read', async () => {
  const shares: number[] = []
  const margin = await damageMargin(solid, plain, async (pixels) => {
    const uncovered = (1 - meanLight(pixels)) * (33 / 25) ** 2
    shares.push(1 - uncovered)
    return 1 - uncovered <= 0.2
  })
  expect(shares).toHaveLength(7)
  expect(margin).toBeCloseTo(Math.max(...shares.filter((share) => share <= 0.2)), 3)
  expect(margin).toBeGreaterThan(0.19)
  expect(await damageMargin(solid, plain, async () => false)).toBe(0)
})
