import { expect, test } from 'vitest'
import { PictureTooSmall } from '#qr/formats/layout.ts'
import { type Raster, raster } from '#qr/formats/raster.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Style } from '#qr/symbol/look.ts'

const styles: Style[] = ['classic', 'rounded']
const symbol = encode('https://tessera.example/qr/k7m2xq9')
const MODULES = 29

/** Lengths of the runs of equal pixels along a line, quiet zones included. */
function runs(pixels: number[]): number[] {
  const lengths: number[] = []
  pixels.forEach((pixel, at) => {
    if (at > 0 && pixel === pixels[at - 1]) lengths.push((lengths.pop() as number) + 1)
    else lengths.push(1)
  })
  return lengths
}

function row(picture: Raster, y: number): number[] {
  return [...(picture.rows[y] as Uint8Array)]
}

function column(picture: Raster, x: number): number[] {
  return picture.rows.map((pixels) => pixels[x] as number)
}

/** First column or row, and last, that holds anything but background. */
function extent(lines: number[][]): [first: number, last: number] {
  const marked = lines.map((line) => line.some((pixel) => pixel > 0))
  return [marked.indexOf(true), marked.lastIndexOf(true)]
}

test.each(styles)('a %s finder reads 1:1:3:1:1 through its centre, across and down', (style) => {
  for (const module of [1, 2, 3, 4, 7, 10, 31]) {
    const picture = raster(symbol, { style, size: (MODULES + 8) * module })
    const start = 4 * module
    const centre = start + Math.floor(3.5 * module)
    const expected = [4, 1, 1, 3, 1, 1].map((modules) => modules * module)
    const far = start + 22 * module + Math.floor(3.5 * module)
    expect(runs(row(picture, centre)).slice(0, 6)).toEqual(expected)
    expect(runs(column(picture, centre)).slice(0, 6)).toEqual(expected)
    expect(runs(row(picture, far)).slice(0, 6)).toEqual(expected)
    expect(runs(row(picture, centre)).slice(-6)).toEqual(expected.toReversed())
  }
})

test.each(styles)(
  'a %s picture has four empty modules on every side and its exact size',
  (style) => {
    for (const size of [37, 64, 100, 255, 256, 1000, 1024]) {
      const picture = raster(symbol, { style, size })
      const module = Math.floor(size / (MODULES + 8))
      expect(picture.rows.length).toBe(size)
      expect(picture.rows.every((pixels) => pixels.length === size)).toBe(true)
      const across = extent(Array.from({ length: size }, (_, x) => column(picture, x)))
      const down = extent(Array.from({ length: size }, (_, y) => row(picture, y)))
      for (const [first, last] of [across, down]) {
        expect(first).toBeGreaterThanOrEqual(4 * module)
        expect(size - 1 - last).toBeGreaterThanOrEqual(4 * module)
        expect(last - first + 1).toBe(MODULES * module)
        expect(Math.abs(first - (size - 1 - last))).toBeLessThanOrEqual(1)
      }
    }
  },
)

test('classic pixels are foreground or background and follow the modules', () => {
  const picture = raster(symbol, { style: 'classic', size: 37 * 3 })
  expect(picture.shades).toBe(2)
  for (let y = 0; y < MODULES; y++) {
    for (let x = 0; x < MODULES; x++) {
      const pixel = picture.rows[12 + 3 * y + 1]?.[12 + 3 * x + 1]
      expect(pixel).toBe(symbol.modules[y * MODULES + x])
    }
  }
})

test('the centre of every rounded module is as dark or light as the module', () => {
  for (const module of [1, 3, 5, 9]) {
    const picture = raster(symbol, { style: 'rounded', size: 37 * module })
    const middle = Math.floor(module / 2)
    for (let y = 0; y < MODULES; y++) {
      for (let x = 0; x < MODULES; x++) {
        const pixel = picture.rows[(4 + y) * module + middle]?.[(4 + x) * module + middle] ?? -1
        expect(pixel >= 8).toBe(symbol.modules[y * MODULES + x] === 1)
      }
    }
  }
})

test('a picture too small for one pixel a module says the smallest size that works', () => {
  expect(() => raster(symbol, { style: 'classic', size: 36 })).toThrow(PictureTooSmall)
  expect(() => raster(symbol, { style: 'rounded', size: 36 })).toThrow(
    expect.objectContaining({ smallest: 37 }),
  )
  expect(() => raster(symbol, { style: 'classic', size: 99.5 })).toThrow(RangeError)
})
