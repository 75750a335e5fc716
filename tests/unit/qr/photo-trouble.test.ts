import { describe, expect, test } from 'vitest'
import type { Pixels } from '#qr/formats/pixels.ts'
import { greyOf } from '#qr/photo/brightness.ts'
import { findersIn } from '#qr/photo/finders.ts'
import { troubleIn } from '#qr/photo/photo-trouble.ts'
import { draw } from '#qr/scan-check/pixels.ts'
import { blur } from '#qr/scan-check/scan-conditions.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { someOf } from '../../support/soak.ts'

const [WIDTH, HEIGHT, SIZE] = [800, 600, 400]
const PAPER = 228
const TABLE = 120

type Place = { left?: number; top?: number; turn?: number; look?: Partial<Look> }

/** A print that lies on a table, as a camera sees it: its white is not quite white, its black not black. */
function photo({ left = 200, top = 100, turn = 0, look = {} }: Place = {}): Pixels {
  const appearance = { ...DEFAULT_LOOK, ...look }
  const picture = draw(encode('https://example.com/qr/abcdefgh', appearance), appearance, SIZE)
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)]
  return painted((x, y) => {
    const [right, down] = [x - left - SIZE / 2, y - top - SIZE / 2]
    const column = Math.round(right * cosine + down * sine + SIZE / 2)
    const row = Math.round(down * cosine - right * sine + SIZE / 2)
    const isOnPrint = column >= 0 && row >= 0 && column < SIZE && row < SIZE
    if (!isOnPrint) return TABLE + ((x * 7 + y * 13) % 11)
    const value = picture.data[4 * (row * SIZE + column)] as number
    return 30 + (value / 255) * (PAPER - 30)
  })
}

function painted(greyAt: (x: number, y: number) => number): Pixels {
  const data = new Uint8ClampedArray(4 * WIDTH * HEIGHT).fill(255)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const grey = greyAt(x, y)
      data.fill(grey, 4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 3)
    }
  }
  return { width: WIDTH, height: HEIGHT, data }
}

/** The same photo with other greys. */
const changed = (of: Pixels, grey: (value: number, x: number, y: number) => number) =>
  painted((x, y) => grey(of.data[4 * (y * WIDTH + x)] as number, x, y))

const isIn = (x: number, y: number, [left, top, right, bottom]: number[]) =>
  x >= Number(left) && y >= Number(top) && x < Number(right) && y < Number(bottom)

describe('a photo in which nothing is read', () => {
  test.each([0.1, 0.25, 0.38])('is too dark with %d of its light', (share) => {
    expect(troubleIn(changed(photo(), (value) => share * value))).toBe('dark')
  })

  test.each(someOf([10, 6, 20], 3))('is blurred by %d pixels', (deviation) => {
    expect(troubleIn(blur(photo(), deviation))).toBe('blurred')
  })

  test.each([
    ['in its middle', [330, 230, 470, 370]],
    ['over a corner and what is beside it', [360, 120, 590, 280]],
  ])('has glare %s', (_, spot) => {
    const white = changed(photo(), (value, x, y) => (isIn(x, y, spot) ? 255 : value))
    expect(troubleIn(white)).toBe('glare')
  })

  test.each([
    ['at the left', { left: -150 }],
    ['at the right', { left: 550 }],
    ['above', { top: -150 }],
    ['below', { top: 350 }],
    ['at the left, a little turned', { left: -150, turn: 0.1 }],
  ])('is cut off %s', (_, place) => {
    expect(troubleIn(photo(place))).toBe('cut-off')
  })

  test('has no code if it is a sharp photo of other things', () => {
    expect(troubleIn(painted((x, y) => (((x >> 5) + (y >> 4)) % 3 === 0 ? 40 : 210)))).toBe(
      'no-code',
    )
  })

  test('has no code, and so no glare on it, if it is a page of text with a white middle', () => {
    const isInMiddle = (x: number, y: number) => isIn(x, y, [300, 200, 500, 400])
    const isLetter = (x: number, y: number) => y % 24 < 14 && (x + 5 * (y >> 4)) % 13 < 6
    expect(troubleIn(painted((x, y) => (isLetter(x, y) && !isInMiddle(x, y) ? 40 : 255)))).toBe(
      'no-code',
    )
  })

  test('has a code that cannot be read if nothing else stands out', () => {
    const sticker = changed(photo(), (value, x, y) =>
      isIn(x, y, [330, 230, 480, 400]) ? 90 + (x % 9) : value,
    )
    expect(troubleIn(sticker)).toBe('unclear')
    expect(troubleIn(photo())).toBe('unclear')
  })

  test('is too dark, even if it is blurred as well', () => {
    expect(troubleIn(changed(blur(photo(), 8), (value) => value / 4))).toBe('dark')
  })

  test('may be a few pixels only', () => {
    const data = new Uint8ClampedArray(4 * 9).fill(255)
    expect(troubleIn({ width: 3, height: 3, data })).toBe('no-code')
  })
})

test.each([
  ['straight', {}],
  ['turned', { turn: 0.3 }],
  ['turned far', { turn: 0.8 }],
  ['rounded', { look: { style: 'rounded' as const } }],
])('all three finder patterns are found in a print that lies %s', (_, place: Place) => {
  const found = findersIn(greyOf(photo(place)))
  const module = SIZE / (encode('https://example.com/qr/abcdefgh', DEFAULT_LOOK).size + 8)
  const near = SIZE / 2 - 7.5 * module
  const [sine, cosine] = [Math.sin(place.turn ?? 0), Math.cos(place.turn ?? 0)]
  for (const [right, down] of [
    [-near, -near],
    [near, -near],
    [-near, near],
  ] as const) {
    const [x, y] = [400 + right * cosine - down * sine, 300 + down * cosine + right * sine]
    const distances = found.map((finder) => Math.hypot(finder.x - x, finder.y - y))
    expect(Math.min(...distances)).toBeLessThan(2 * module)
  }
})
