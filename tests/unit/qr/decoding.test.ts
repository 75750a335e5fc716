import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colourPresets, IMAGE_SIZE, imageFormats } from '#contract/pictures/pictures.ts'
import { encode } from '#qr/symbol/encode.ts'
import { eccLevels, styles } from '#qr/symbol/look.ts'
import { fullSize } from '#qr/symbol/matrix.ts'
import { anyText } from '../../support/any-text.ts'
import { scanned, somePicture } from '../../support/shown.ts'
import { inTurn, seed, times } from '../../support/soak.ts'

const isInverted = ({ name }: (typeof colourPresets)[number]) => name === 'Dark'

test.each(imageFormats)('a %s of 4,096 pixels scans', async (format) => {
  for (const style of inTurn(styles, imageFormats.indexOf(format))) {
    const picture = { ...somePicture, style, format, size: IMAGE_SIZE.max }
    expect(await scanned(picture)).toBe(picture.text)
  }
})

/** Edges of a module in pixels, from three up: mostly small, where reading is hardest. */
const modulePixels = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 3, max: 5 }) },
  { weight: 2, arbitrary: fc.integer({ min: 6, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 13, max: 40 }) },
)

/** Any text, and how it is drawn. `spare` is what the size has beyond whole modules, as a share of one. */
const anyDrawing = fc.constantFrom(...eccLevels).chain((ecc) =>
  fc.record({
    ecc: fc.constant(ecc),
    text: anyText(ecc),
    style: fc.constantFrom(...styles),
    preset: fc.constantFrom(...colourPresets),
    module: modulePixels,
    spare: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
)
type Drawing = typeof anyDrawing extends fc.Arbitrary<infer Value> ? Value : never

/** Any size from three pixels a module to the largest there is; large ones for small symbols only. */
function sizeOf({ text, ecc, module, spare }: Drawing): number {
  const edge = fullSize(encode(text, { ecc }))
  return Math.min(Math.max(1200, 5 * edge), edge * module + Math.floor(spare * edge))
}

async function scans(drawing: Drawing, look: Partial<typeof somePicture>): Promise<void> {
  const { preset, ...rest } = drawing
  const picture = { ...somePicture, ...preset, ...rest, size: sizeOf(drawing), ...look }
  expect(await scanned(picture, { inverted: isInverted(preset) })).toBe(drawing.text)
}

/** A drawing that fails is drawn again by its seed and path; to find a smaller one would take an hour. */
const RUNS = { seed, endOnFailure: true }

test('any text in any look scans from three pixels a module', async () => {
  const formats = fc.constantFrom(...imageFormats)
  await fc.assert(
    fc.asyncProperty(anyDrawing, formats, (drawing, format) => scans(drawing, { format })),
    { ...RUNS, numRuns: times(15, 1_000) },
  )
})

test('any text in any look scans as a PDF, however large the print', async () => {
  const millimetres = fc
    .integer({ min: 10_000, max: 2_000_000 })
    .map((micrometres) => micrometres / 1000)
  await fc.assert(
    fc.asyncProperty(anyDrawing, millimetres, (drawing, printSize) =>
      scans(drawing, { format: 'pdf', printSize }),
    ),
    { ...RUNS, numRuns: times(10, 500) },
  )
})
