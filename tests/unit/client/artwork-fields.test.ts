import { describe, expect, it } from 'vitest'
import {
  costText,
  firstSize,
  frameTextProblem,
  withFrameShape,
  withShape,
} from '../../../src/client/codes/editor/artwork/artwork-form.ts'
import { artworkWords } from '../../../src/client/codes/editor/artwork/artwork-words.ts'
import { faultOf } from '../../../src/client/codes/editor/artwork/logo-upload.tsx'
import { keptValues } from '../../../src/client/codes/editor/reopened-form.ts'
import { valuesOf } from '../../../src/client/codes/editor/values.ts'
import { type Artwork, PLAIN_ARTWORK, shapesOf } from '../../../src/qr/artwork/artwork.ts'
import { largestLogo, logoCost } from '../../../src/qr/artwork/logo-room.ts'

const colours = { foregroundColor: '#123456', backgroundColor: '#fefefe' }

describe('shapes', () => {
  it('are those of the style until one is chosen', () => {
    expect(shapesOf('rounded', PLAIN_ARTWORK)).toMatchObject({ modules: 'connected' })
    expect(shapesOf('rounded', { ...PLAIN_ARTWORK, eyeBall: 'leaf' })).toEqual({
      modules: 'connected',
      eyeFrame: 'rounded',
      eyeBall: 'leaf',
    })
  })

  it('are left to the style if the style has them anyway', () => {
    expect(withShape('classic', 'modules', 'square')).toEqual({ modules: null })
    expect(withShape('rounded', 'modules', 'square')).toEqual({ modules: 'square' })
  })
})

describe('a frame', () => {
  it('has its text in the colour that shows on it', () => {
    const band = withFrameShape(null, 'below', colours)
    expect(band).toMatchObject({ color: '#123456', textColor: '#fefefe', text: 'Scan me' })
    expect(withFrameShape(band, 'line', colours).textColor).toBe('#123456')
  })

  it('keeps the chosen colours when its shape changes', () => {
    const band = { ...withFrameShape(null, 'below', colours), textColor: '#ffff00' }
    expect(withFrameShape(band, 'line', colours)).toEqual({ ...band, shape: 'line' })
  })

  it('names the character that it cannot draw', () => {
    expect(frameTextProblem('Σκάναρε · Сканируй · Scannez-moi')).toBeNull()
    expect(frameTextProblem('Scan 😀')).toContain('“😀” can’t be drawn')
    expect(frameTextProblem('扫')).toContain('“扫”')
    expect(frameTextProblem('W'.repeat(30))).toContain('too wide')
  })
})

describe('a logo', () => {
  it('begins below the largest size, on whole modules', () => {
    expect(firstSize(largestLogo(29, 'H', 'square'))).toBeGreaterThanOrEqual(3)
    for (const largest of [3, 5, 7, 9, 11]) {
      expect(firstSize(largest)).toBeLessThanOrEqual(largest)
      expect(firstSize(largest) % 2).toBe(1)
    }
  })

  it('says what its size costs, and why the slider ends', () => {
    const largest = largestLogo(29, 'H', 'square')
    const cost = logoCost(29, 'H', { size: largest, plate: 'square' })
    expect(costText(cost, true)).toMatch(/^It uses \d+% of what .* too little\.$/)
    expect(costText(cost, false)).not.toContain('too little')
  })

  it('is refused before it is sent if it is too large or not a picture', () => {
    expect(faultOf({ type: 'image/svg+xml', size: 100 })).toBeNull()
    expect(faultOf({ type: 'image/png', size: 2 * 2 ** 20 + 1 })).toContain('larger than 2 MB')
    expect(faultOf({ type: 'application/pdf', size: 100 })).toContain('isn’t a picture')
  })
})

describe('artwork in words', () => {
  const artwork: Artwork = {
    ...PLAIN_ARTWORK,
    modules: 'dots',
    eyeFrame: 'circle',
    gradient: { kind: 'linear', to: '#1e40af', angle: 45 },
    logo: { id: 'abcdefghijklmnopqrst', size: 7, plate: 'round', margin: 0.5 },
    frame: withFrameShape(null, 'below', colours),
  }

  it('names every choice', () => {
    expect(artworkWords(null)).toBe('None')
    expect(artworkWords(artwork)).toBe(
      'Dots, Circle eye frames, Linear gradient to #1e40af at 45°, Logo abcd (7 modules wide, background: round, 0.5 clear), Frame “Scan me” (below, medium, #123456, text #fefefe)',
    )
  })

  it('differs if two artworks differ', () => {
    const others: Artwork[] = [
      { ...artwork, margin: 5 },
      { ...artwork, transparent: true },
      { ...artwork, eyeBall: 'leaf' },
      { ...artwork, eyeFrameColor: '#111111' },
      { ...artwork, eyeBallColor: '#111111' },
      { ...artwork, frame: artwork.frame && { ...artwork.frame, size: 'large' } },
      { ...artwork, logo: artwork.logo && { ...artwork.logo, plate: 'none' } },
    ]
    const words = [artwork, ...others].map(artworkWords)
    expect(new Set(words).size).toBe(words.length)
  })
})

it('a form is kept with half a colour and half a text', () => {
  const frame = { ...withFrameShape(null, 'line', colours), text: '😀', color: '#12' }
  const artwork: Artwork = { ...PLAIN_ARTWORK, eyeBallColor: '#1', frame }
  const values = { ...valuesOf(undefined), artwork }
  expect(keptValues.parse(values)).toEqual(values)
})
