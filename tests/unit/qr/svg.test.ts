import sharp from 'sharp'
import { expect, test } from 'vitest'
import { NotAColour } from '#qr/formats/colour.ts'
import { outline } from '#qr/formats/outline.ts'
import { raster } from '#qr/formats/raster.ts'
import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Style } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'

const styles: Style[] = ['classic', 'rounded']
const colours = { foreground: '#000', background: '#fff' }
const symbol = encode('https://tessera.example/qr/k7m2xq9')

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

test('the document is two filled paths and nothing else', () => {
  for (const style of styles) {
    const text = svg(symbol, { style, foreground: '#1E40AF', background: '#fff', size: 256 })
    expect(text.match(/<[a-z]+/g)).toEqual(['<svg', '<path', '<path'])
    expect(text).toContain('width="256" height="256" viewBox="0 0 37 37"')
    expect(text).toContain('<path fill="#ffffff" d="M0 0h37v37H0z"/>')
    expect(text).toMatch(/<path fill="#1e40af" d="[-MhvaHz0-9. ]+"\/><\/svg>\n$/)
  }
})

test('classic path data stays under 2 kB for a short link', () => {
  expect(svg(symbol, { ...colours, style: 'classic', size: 256 }).length).toBeLessThan(2048)
})

test.each(['"/><script>', 'url(#x)'])('%j never reaches the markup', (colour) => {
  for (const wrong of [{ foreground: colour }, { background: colour }]) {
    const options = { ...colours, ...wrong, style: 'classic', size: 256 } as const
    expect(() => svg(symbol, options)).toThrow(NotAColour)
  }
})

test.each(styles)('the %s SVG and the %s raster are the same shape', async (style) => {
  for (const module of [4, 9, 20]) {
    const size = 37 * module
    const picture = raster(symbol, { style, size })
    const document = Buffer.from(svg(symbol, { ...colours, style, size }))
    const { data, info } = await sharp(document)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([size, size, 1])
    let furthest = 0
    picture.rows.forEach((pixels, y) => {
      pixels.forEach((shade, x) => {
        const drawn = 255 - (255 * shade) / (picture.shades - 1)
        furthest = Math.max(furthest, Math.abs(drawn - (data[y * size + x] as number)))
      })
    })
    expect(furthest).toBeLessThan(style === 'classic' ? 1 : 32)
  }
})
