import { describe, expect, it, test } from 'vitest'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { type Artwork, type LogoPicture, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { ringContours } from '#qr/artwork/eyes.ts'
import { largestLogo } from '#qr/artwork/logo-room.ts'
import { parseColour } from '#qr/formats/colour.ts'
import { outline } from '#qr/formats/outline.ts'
import { relativeLuminance } from '#qr/scan-check/light.ts'
import { type Legibility, reasons, type Verdict } from '#qr/scan-check/verdict.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Design } from '#qr/symbol/look.ts'
import { checkLook } from '../../../src/server/pictures/checks.ts'

/* Each of these was found with decoders that are not in the project. */

const LINK = 'https://tessera.example/qr/k7m2xq9'

function check(change: Partial<Design>): Promise<Legibility> {
  return checkLook({ design: { ...DEFAULT_LOOK, text: LINK, ...change }, size: 512 })
}

test("no corner of a rounded eye or finder is rounder than a module: OpenCV's detector misreads those", () => {
  const matrix = encode(LINK)
  const finders = outline(matrix, 'rounded').slice(0, 9)
  const corners = [...ringContours(matrix, 'rounded'), ...finders].flat()
  expect(corners).toHaveLength(60)
  for (const { radius } of corners) {
    expect(radius).toBeGreaterThan(0)
    expect(radius).toBeLessThanOrEqual(1)
  }
})

describe('on a ground that is too dark for dusk', () => {
  it.each([
    ['#531b55', '#7cdb13'],
    ['#060a6d', '#11d5fe'],
  ])('strong colours are not excellent: %s on %s', async (foreground, background) => {
    const checked = await check({ foreground, background })
    expect(checked.contrast).toBeGreaterThan(7)
    expect(checked).toMatchObject({ verdict: 'good', reason: reasons.dimGround })
  })

  it.each([
    ['#385286', '#11d0e2'],
    ['#750d44', '#2cd139'],
    ['#811261', '#0dd480'],
    ['#54105d', '#ed6abf'],
  ])('a look is told to have a lighter background: %s on %s', async (foreground, background) => {
    const { verdict, reason } = await check({ foreground, background })
    expect(verdict).not.toBe('excellent')
    expect(reason).toMatch(/lighter background/)
    expect(reason).toMatch(/poor light/)
  })

  it('no preset is', () => {
    const grounds = colourPresets.filter(({ name }) => name !== 'Dark')
    for (const { background } of grounds) {
      expect(relativeLuminance(parseColour(background))).toBeGreaterThan(0.85)
    }
  })
})

test('teal on sky blue, which many still read, is risky and not unreadable', async () => {
  const checked = await check({ foreground: '#3d8275', background: '#88d2fe' })
  expect(checked).toMatchObject({ verdict: 'risky', reason: reasons.alike })
})

test('what is unreadable is so for most scanners, not for all', () => {
  const { sameBrightness, tooAlike, unreadable, unseenOnWhite } = reasons
  for (const reason of [sameBrightness, tooAlike, unreadable, unseenOnWhite]) {
    expect(reason).toMatch(/most scanners/i)
  }
  for (const reason of Object.values(reasons)) expect(reason).not.toMatch(/^Scanners cannot/)
})

const NAVY = { foreground: '#0b1f4b' }
const linear = { kind: 'linear', to: '#a5b4fc', angle: 0 } as const
const radial = { kind: 'radial', to: '#7c3aed', angle: 0 } as const
const lostEyes = { modules: 'dots', eyeFrame: 'square', eyeBall: 'circle' } as const
const onGrey = { foreground: '#000000', background: '#cbd5e1' }
const whiteOnBlue = { foreground: '#ffffff', background: '#111827' }
const blackOnBlack = { foreground: '#000000', background: '#0f0f0f' }

type Blamed = [string, Partial<Design>, Partial<Artwork>, Verdict, keyof typeof reasons]

const blamed: Blamed[] = [
  ['a gradient that ends too light', NAVY, { gradient: linear }, 'risky', 'alikeGradient'],
  ['a gradient that ends fairly light', NAVY, { gradient: radial }, 'good', 'fairGradient'],
  ['eyes that are too light', NAVY, { eyeBallColor: '#f59e0b' }, 'risky', 'alikeEyes'],
  ['eyes that are much too light', NAVY, { eyeBallColor: '#fde68a' }, 'unreadable', 'eyesUnseen'],
  [
    'eyes lighter than the ground',
    onGrey,
    { eyeFrameColor: '#ffffff' },
    'unreadable',
    'eyesUnseen',
  ],
  ['balls that are round in square rings', NAVY, lostEyes, 'risky', 'eyesLost'],
  [
    'a code unseen without its ground',
    whiteOnBlue,
    { transparent: true },
    'unreadable',
    'unseenOnWhite',
  ],
  ['a ground that only the JPG has', blackOnBlack, { transparent: true }, 'risky', 'jpgMissed'],
  ['white paper', {}, { transparent: true, modules: 'rounded' }, 'excellent', 'excellentOnWhite'],
]

test.each(blamed)('the verdict names %s', async (_part, look, artwork, verdict, reason) => {
  const checked = await check({ ...look, artwork: { ...PLAIN_ARTWORK, ...artwork } })
  expect(checked).toMatchObject({ verdict, reason: reasons[reason] })
})

describe('the damage margin', () => {
  const { size } = encode(LINK, { ecc: 'H' })
  const largest = largestLogo(size, 'H', 'square')
  const logoOf = (size: number): Partial<Design> => ({
    artwork: { ...PLAIN_ARTWORK, logo: { id: 'dark', size, plate: 'square', margin: 0 } },
    logo: DARK,
    ecc: 'H',
  })

  it('beside a logo is what more can be covered', async () => {
    const [bare, small, large] = await Promise.all(
      [0, 5, largest].map(async (edge) => {
        const { damageMargin } = await check(edge ? logoOf(edge) : { ecc: 'H' })
        return damageMargin
      }),
    )
    const share = (edge: number) => edge ** 2 / size ** 2
    expect(small).toBeCloseTo((bare as number) - share(5), 1)
    expect(large).toBeCloseTo((bare as number) - share(largest), 1)
    expect(large).toBeGreaterThan(0)
    expect(large).toBeLessThan(small as number)
    expect(large).toBeLessThan(bare as number)
  })

  it('of the largest logo is enough for an excellent code at the highest correction', async () => {
    expect(await check(logoOf(largest))).toMatchObject({ verdict: 'excellent' })
  })

  it('that is small beside a logo asks for a smaller logo or more correction', async () => {
    const checked = await check({ ...logoOf(3), ecc: 'L' })
    expect(checked.damageMargin).toBeLessThan(0.06)
    expect(checked).toMatchObject({ verdict: 'good', reason: reasons.littleBesideLogo })
  })
})

/** A dark square: all of it covers the code. */
const DARK: LogoPicture = {
  width: 8,
  height: 8,
  reach: Math.SQRT2,
  data: new Uint8ClampedArray(4 * 64).map((_, at) => (at % 4 === 3 ? 255 : 30)),
}
