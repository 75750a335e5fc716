import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { styles } from '#qr/symbol/look.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'
import { anyPicture } from '../../support/any-picture.ts'
import { pdfPage } from '../../support/pdf-page.ts'
import { somePicture } from '../../support/shown.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(15, 500) }
const POINTS_PER_MM = 72 / 25.4

/** A picture as PDF, and its edge in print in thousandths of a millimetre. */
const anyPdf = fc
  .tuple(
    anyPicture({ format: 'pdf', module: 3, more: 50 }),
    fc.integer({ min: 1000 * PRINT_SIZE.min, max: 1000 * PRINT_SIZE.max }),
  )
  .map(([picture, micrometres]) => ({ ...picture, printSize: micrometres / 1000 }))

const fileOf = async (picture: Picture) => Buffer.from((await drawPicture(picture)).bytes)
/** A byte a character, so that positions are offsets. */
const textOf = async (picture: Picture) => (await fileOf(picture)).toString('latin1')

test('a PDF is one page, just as large as the print, of two filled shapes', async () => {
  await fc.assert(
    fc.asyncProperty(anyPdf, async (picture) => {
      const page = await pdfPage(await fileOf(picture), 64)
      expect(page).toMatchObject({ pages: 1, kinds: ['path', 'path'] })
      expect(Math.abs(page.width - picture.printSize * POINTS_PER_MM)).toBeLessThan(0.01)
      expect(page.height).toBe(page.width)
    }),
    RUNS,
  )
})

/** ISO 32000-1 §7.5.4: each entry of the table is where its object begins; readers may rely on it. */
test('a PDF finds each of its objects where its table says', async () => {
  await fc.assert(
    fc.asyncProperty(anyPdf, async (picture) => {
      const text = await textOf(picture)
      const table = Number(text.match(/startxref\n(\d+)\n%%EOF\n$/)?.[1])
      const [, count, entries = ''] = /^xref\n0 (\d+)\n([^t]*)trailer/.exec(text.slice(table)) ?? []
      const offsets = entries
        .trimEnd()
        .split('\n')
        .map((line) => Number(line.slice(0, 10)))
      expect(offsets).toHaveLength(Number(count))
      expect(entries).toHaveLength(20 * Number(count))
      offsets.slice(1).forEach((offset, index) => {
        expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
      })
    }),
    RUNS,
  )
})

test('a PDF holds numbers and path operators and nothing else', async () => {
  const number = String.raw`-?\d+(?:\.\d{1,5})?`
  const operation = new RegExp(
    `^(?:(?:${number} ){3}rg|(?:${number} ){4}re f|(?:${number} ){6}cm|(?:${number} ){2}[ml]|(?:${number} ){6}c|h|f)$`,
  )
  for (const style of styles) {
    const file = await fileOf({ ...somePicture, format: 'pdf', style, printSize: 33.333 })
    const text = file.toString('latin1')
    const start = text.indexOf('stream\n') + 'stream\n'.length
    const length = Number(text.match(/\/Length (\d+)/)?.[1])
    expect(text.slice(start + length)).toMatch(/^\nendstream\nendobj\n/)
    const operations = inflateSync(file.subarray(start, start + length))
      .toString()
      .split('\n')
    expect(operations.filter((line) => !operation.test(line))).toEqual([])
  }
})

test('a PDF is as small for a poster as for a label', async () => {
  for (const style of styles) {
    const lengths = await Promise.all(
      [PRINT_SIZE.min, PRINT_SIZE.max].map(async (printSize) => {
        return (await fileOf({ ...somePicture, format: 'pdf', style, printSize })).length
      }),
    )
    expect(Math.max(...lengths)).toBeLessThan(8192)
    expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThan(64)
  }
})
