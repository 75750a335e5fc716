import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { colourPresets, IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import { parseColour } from '#qr/formats/colour.ts'
import { checkLegibility, type ScanTools } from '#qr/scan-check/legibility.ts'
import { type Legibility, verdicts } from '#qr/scan-check/verdict.ts'
import { DEFAULT_LOOK, type Design, eccLevels, styles } from '#qr/symbol/look.ts'
import { checkLook } from '../../../src/server/pictures/checks.ts'
import { seed, times } from '../../support/soak.ts'

const LINK = 'https://tessera.example/qr/k7m2xq9'

/** Black on white in the classic style at level M, but for what a test is about. */
function code(change: Partial<Design> = {}): Design {
  return { ...DEFAULT_LOOK, text: LINK, ...change }
}

/** Checks what the server delivers, by the real decoders. */
function check(design: Design): Promise<Legibility> {
  return checkLook({ design, size: IMAGE_SIZE.default })
}

const everywhere = (answer: { zxing: boolean; jsqr: boolean }) => ({
  asIs: answer,
  small: answer,
  blurred: answer,
  lowLight: answer,
})

test.each([
  ['#777777', '#888888', 'risky'],
  ['#ffff00', '#ffffff', 'risky'],
  ['#eeeeee', '#ffffff', 'unreadable'],
  ['#cccccc', '#bbbbbb', 'unreadable'],
] as const)('%s on %s is %s because of its colours', async (foreground, background, verdict) => {
  const checked = await check(code({ foreground, background }))
  expect(checked.verdict).toBe(verdict)
  expect(checked.reason).toMatch(/close in brightness/)
})

/** The damage that two of three decoders that are not in the project bear at each correction. */
const BORNE = { L: 0.03, M: 0.05, Q: 0.1, H: 0.12 }

test.each(styles)('more error correction survives more damage in the %s style', async (style) => {
  const margins: number[] = []
  for (const ecc of eccLevels) {
    const { damageMargin } = await check(code({ ecc, style }))
    expect(damageMargin).toBeGreaterThanOrEqual(BORNE[ecc])
    margins.push(damageMargin)
  }
  expect(margins).toEqual(margins.toSorted((a, b) => a - b))
  expect(new Set(margins).size).toBe(eccLevels.length)
  expect(margins[3]).toBeLessThan(0.3)
})

test('the longest text is checked like any other', async () => {
  const text = `https://tessera.example/${'k7m2'.repeat(576)}`
  const checked = await check(code({ text }))
  expect(checked.reads.asIs.zxing).toBe(true)
  expect(checked.damageMargin).toBeGreaterThan(0.05)
})

/** The colour `share` of the way from one to the other. */
function faded(from: string, to: string, share: number): string {
  const [start, end] = [parseColour(from), parseColour(to)]
  const mixed = start.map((value, at) => Math.round(value + share * ((end[at] as number) - value)))
  return `#${Buffer.from(mixed).toString('hex')}`
}

const rank = ({ verdict }: Legibility) => verdicts.indexOf(verdict)

test('a verdict never gets better while the foreground fades into the background', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const property = fc.asyncProperty(
    fc.constantFrom(...colourPresets),
    fc.constantFrom(...styles),
    fc.tuple(share, share),
    async ({ foreground, background }, style, shares) => {
      const [less, more] = shares.toSorted((a, b) => a - b) as [number, number]
      const fading = (by: number) => faded(foreground, background, by)
      const before = await check(code({ foreground: fading(less), background, style }))
      const after = await check(code({ foreground: fading(more), background, style }))
      expect(rank(after)).toBeGreaterThanOrEqual(rank(before))
    },
  )
  await fc.assert(property, { numRuns: times(2, 300), seed })
})

/** Tools that read everything, but for what a test is about. */
function tools(change: Partial<ScanTools> = {}): ScanTools {
  const reads = async () => LINK
  return { zxing: reads, jsqr: reads, deliver: async () => new Uint8Array(), ...change }
}

test('it is the very bytes of PNG and JPEG that are read, and both have to be', async () => {
  const files = { png: Uint8Array.of(1), jpg: Uint8Array.of(2) }
  const deliver = async (format: 'png' | 'jpg') => files[format]
  for (const broken of Object.values(files)) {
    const zxing = vi.fn<ScanTools['zxing']>(async (picture) => (picture === broken ? null : LINK))
    const checked = await checkLegibility(code(), tools({ zxing, deliver }))
    expect(checked).toMatchObject({ verdict: 'risky', damageMargin: 0 })
    for (const file of Object.values(files)) {
      expect(zxing).toHaveBeenCalledWith(file, { tryInvert: false })
    }
  }
})

test('a decoder that reads another text has not read the code', async () => {
  const checked = await checkLegibility(code(), tools({ jsqr: async () => `${LINK}x` }))
  expect(checked.reads).toEqual(everywhere({ zxing: true, jsqr: false }))
})

test('jsQR is never given a picture above 512 pixels, whatever is delivered', async () => {
  const jsqr = vi.fn<ScanTools['jsqr']>(async () => LINK)
  await checkLegibility(code(), tools({ jsqr }))
  expect(jsqr.mock.calls.map(([{ width }]) => width)).toEqual([512, 74, 148, 148])
})

test('only an inverted code is shown as a negative, and a plain check is at most 19 readings', async () => {
  for (const [foreground, background] of [
    ['#000', '#fff'],
    ['#fff', '#000'],
  ] as const) {
    const zxing = vi.fn<ScanTools['zxing']>(async (_, { tryInvert }) => (tryInvert ? LINK : null))
    await checkLegibility(code({ foreground, background }), tools({ zxing }))
    const negatives = zxing.mock.calls.filter(([, { tryInvert }]) => tryInvert)
    expect(negatives.length > 0).toBe(foreground === '#fff')
    expect(zxing.mock.calls.length + 4).toBeLessThanOrEqual(19)
  }
})
