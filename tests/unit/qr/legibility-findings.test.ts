import { describe, expect, it, test } from 'vitest'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { type Artwork, type LogoPicture, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { ringContours } from '#qr/artwork/eyes.ts'
import { largestLogo } from '#qr/artwork/logo-room.ts'
import { parseColour } from '#qr/formats/colour.ts'
import { relativeLuminance } from '#qr/scan-check/light.ts'
import { type Legibility, reasons } from '#qr/scan-check/verdict.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Design, eccLevels } from '#qr/symbol/look.ts'
import { checkLook } from '../../../src/server/pictures/checks.ts'

/* Each of these was found with decoders that are not in the project. */

const LINK = 'https://tessera.example/qr/k7m2xq9'

function check(change: Partial<Design>): Promise<Legibility> {
  return checkLook({ design: { ...DEFAULT_LOOK, text: LINK, ...change }, size: 512 })
}

const withArtwork = (change: Partial<Artwork>) => ({ artwork: { ...PLAIN_ARTWORK, ...change } })

it("the corners of rounded eyes are at most a module round: OpenCV's detector reads no rounder ones", () => {
  const corners = ringContours(encode(LINK), 'rounded').flat()
  expect(corners).toHaveLength(24)
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

describe('the part of a look that is to blame is named', () => {
  const dark = { foreground: '#0b1f4b' }

  it('a gradient that ends too light', async () => {
    const gradient = { kind: 'linear', to: '#a5b4fc', angle: 0 } as const
    const checked = await check({ ...dark, ...withArtwork({ gradient }) })
    expect(checked).toMatchObject({ verdict: 'risky', reason: reasons.alikeGradient })
  })

  it('a gradient that ends fairly light', async () => {
    const gradient = { kind: 'radial', to: '#7c3aed', angle: 0 } as const
    const checked = await check({ ...dark, ...withArtwork({ gradient }) })
    expect(checked).toMatchObject({ verdict: 'good', reason: reasons.fairGradient })
  })

  it('eyes that are too light', async () => {
    const light = await check({ ...dark, ...withArtwork({ eyeBallColor: '#f59e0b' }) })
    expect(light).toMatchObject({ verdict: 'risky', reason: reasons.alikeEyes })
    const unseen = await check({ ...dark, ...withArtwork({ eyeBallColor: '#fde68a' }) })
    expect(unseen).toMatchObject({ verdict: 'unreadable', reason: reasons.eyesUnseen })
  })

  it('eyes that are lighter than the background', async () => {
    const ground = { foreground: '#000000', background: '#cbd5e1' }
    const checked = await check({ ...ground, ...withArtwork({ eyeFrameColor: '#ffffff' }) })
    expect(checked).toMatchObject({ verdict: 'unreadable', reason: reasons.eyesUnseen })
  })

  it('balls that are round in square rings', async () => {
    const artwork = { modules: 'dots', eyeFrame: 'square', eyeBall: 'circle' } as const
    const checked = await check({ ...dark, ...withArtwork(artwork) })
    expect(checked).toMatchObject({ verdict: 'risky', reason: reasons.eyesLost })
  })

  it('a code that nobody sees without its background', async () => {
    const white = { foreground: '#ffffff', background: '#111827' }
    const checked = await check({ ...white, ...withArtwork({ transparent: true }) })
    expect(checked).toMatchObject({ verdict: 'unreadable', reason: reasons.unseenOnWhite })
  })

  it('a background that only the JPG has', async () => {
    const black = { foreground: '#000000', background: '#0f0f0f' }
    const checked = await check({ ...black, ...withArtwork({ transparent: true }) })
    expect(checked).toMatchObject({ verdict: 'risky', reason: reasons.jpgMissed })
  })

  it('white paper, where a code without background is excellent', async () => {
    const checked = await check(withArtwork({ transparent: true, modules: 'rounded' }))
    expect(checked).toMatchObject({ verdict: 'excellent', reason: reasons.excellentOnWhite })
  })
})

describe('the damage margin', () => {
  const { size } = encode(LINK, { ecc: 'H' })
  const largest = largestLogo(size, 'H', 'square')
  const logoOf = (edge: number) => ({
    ...withArtwork({ logo: { id: 'dark', size: edge, plate: 'square', margin: 0 } }),
    logo: DARK,
    ecc: 'H' as const,
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

  it('is at least what two of three other decoders bear at each correction', async () => {
    const measured = { L: 0.03, M: 0.05, Q: 0.1, H: 0.12 }
    for (const ecc of eccLevels) {
      expect((await check({ ecc })).damageMargin).toBeGreaterThanOrEqual(measured[ecc])
    }
  })
})

/** A dark square: all of it covers the code. */
const DARK: LogoPicture = {
  ...{ width: 8, height: 8, reach: Math.SQRT2 },
  data: new Uint8ClampedArray(4 * 64).map((_, at) => (at % 4 === 3 ? 255 : 30)),
}
