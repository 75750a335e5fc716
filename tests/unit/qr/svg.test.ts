import { expect, test } from 'vitest'
import { outline } from '#qr/formats/outline.ts'
import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Style } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'

/** A drawing where # is a dark module, ten modules in: out of the way of the finders' places. */
function drawing(...lines: string[]): Matrix {
  const size = 30
  const modules = new Uint8Array(size * size)
  lines.forEach((line, y) => {
    for (let x = 0; x < line.length; x++) {
      if (line[x] === '#') modules[(y + 10) * size + x + 10] = 1
    }
  })
  return { size, modules }
}

/** Corners of the traced modules, without the nine squares of the rounded style's finders. */
function traced(matrix: Matrix, style: Style): string[] {
  return outline(matrix, style)
    .slice(style === 'rounded' ? 9 : 0)
    .map((contour) => contour.map(({ x, y, radius }) => `${x - 10},${y - 10} r${radius}`).join(' '))
}

test('modules side by side share one outline', () => {
  expect(traced(drawing('###'), 'classic')).toEqual(['3,0 r0 3,1 r0 0,1 r0 0,0 r0'])
})

test('modules that touch only at a corner stay apart', () => {
  expect(traced(drawing('#.', '.#'), 'classic')).toEqual([
    '1,0 r0 1,1 r0 0,1 r0 0,0 r0',
    '2,1 r0 2,2 r0 1,2 r0 1,1 r0',
  ])
})

test('a hole runs the other way round', () => {
  expect(traced(drawing('###', '#.#', '###'), 'classic')).toEqual([
    '3,0 r0 3,3 r0 0,3 r0 0,0 r0',
    '2,2 r0 2,1 r0 1,1 r0 1,2 r0',
  ])
})

test('rounded corners that stick out are round and those that reach in are filled a little', () => {
  expect(traced(drawing('#.', '##'), 'rounded')).toEqual([
    '1,0 r0.5 1,1 r0.375 2,1 r0.5 2,2 r0.5 0,2 r0.5 0,0 r0.5',
  ])
})

test('classic path data stays under 2 kB for a short link', () => {
  const look = { style: 'classic', foreground: '#000', background: '#fff', size: 256 } as const
  const symbol = encode('https://tessera.example/qr/k7m2xq9')
  expect(svg(symbol, look).length).toBeLessThan(2048)
})
