import { colourPresets } from '#contract/pictures/pictures.ts'
import {
  type Artwork,
  eyeShapes,
  frameShapes,
  type LogoPicture,
  MARGIN,
  moduleShapes,
  PLAIN_ARTWORK,
  plates,
} from '#qr/artwork/artwork.ts'
import { largestLogo } from '#qr/artwork/logo-room.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Design, eccLevels } from '#qr/symbol/look.ts'

/** As long as most short links are, and one with the longest custom path. */
const links = [
  'https://tessera.example/qr/k7m2xq9',
  `https://tessera.example/v/${'summer-menu-2027-'.repeat(3)}`.slice(0, 76),
] as const

const eyePairs = eyeShapes.flatMap((eyeFrame) =>
  eyeShapes.map((eyeBall) => ({ eyeFrame, eyeBall })),
)

type Shapes = Partial<Pick<Artwork, 'modules' | 'eyeFrame' | 'eyeBall'>>

/** Every shape of modules, and every pair of eyes. */
const shapes: readonly Shapes[] = [...moduleShapes.map((modules) => ({ modules })), ...eyePairs]

/** Each with each. What a look has beyond these goes round with its number. */
const dimensions = {
  shape: shapes,
  preset: colourPresets,
  ecc: eccLevels,
  text: links,
  hasLogo: [false, true],
  hasFrame: [false, true],
} as const

type Dimensions = { [Name in keyof typeof dimensions]: (typeof dimensions)[Name][number] }

/** How many looks `lookAt` knows. */
export const lookCount = Object.values(dimensions).reduce((all, { length }) => all * length, 1)

/** The look with a number from 0; the same one each time. */
export function lookAt(number: number): Design {
  let rest = number
  const chosen = Object.fromEntries(
    Object.entries(dimensions).map(([name, values]) => {
      const value = values[rest % values.length]
      rest = Math.floor(rest / values.length)
      return [name, value]
    }),
  ) as unknown as Dimensions
  const { text, ecc, preset } = chosen
  const { foreground, background } = preset
  const artwork = artworkOf(chosen, number)
  const logo = artwork.logo ? LOGO : undefined
  return { ...DEFAULT_LOOK, text, ecc, foreground, background, artwork, logo }
}

function artworkOf({ shape, ...chosen }: Dimensions, number: number): Artwork {
  const turn = turnsOf(number)
  const { foreground, background } = chosen.preset
  const plate = turn(plates)
  const size = largestLogo(encode(chosen.text, chosen).size, chosen.ecc, plate)
  return {
    ...PLAIN_ARTWORK,
    modules: turn(moduleShapes),
    ...turn(eyePairs),
    ...shape,
    eyeFrameColor: turn(eyeColours),
    eyeBallColor: turn(eyeColours),
    gradient: turn(gradients),
    transparent: turn([false, false, true]),
    margin: turn([MARGIN.min, MARGIN.max, 6]),
    logo: chosen.hasLogo && size > 0 ? { id: 'logo', size, plate, margin: 0.5 } : null,
    frame: chosen.hasFrame
      ? {
          shape: turn(frameShapes),
          text: 'Scan me',
          size: 'medium',
          color: foreground,
          textColor: background,
        }
      : null,
  }
}

const eyeColours = [null, null, null, '#7f1d1d', '#b45309', '#f59e0b'] as const

const gradients = [
  ...[null, null, null],
  { kind: 'linear', to: '#1e3a8a', angle: 45 },
  { kind: 'radial', to: '#9333ea', angle: 0 },
  { kind: 'linear', to: '#f59e0b', angle: 90 },
] as const

/** Picks one value after the other; the same ones for the same number. */
function turnsOf(number: number) {
  let state = number + 1
  return <Value>(values: readonly Value[]): Value => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    state = (state ^ (state >>> 15)) >>> 0
    return values[state % values.length] as Value
  }
}

/** A dark square with a light ring in it: all of it covers the code. */
const LOGO: LogoPicture = logo(48)

function logo(edge: number): LogoPicture {
  const data = new Uint8ClampedArray(4 * edge * edge)
  for (let at = 0; at < edge * edge; at++) {
    const away = Math.hypot((at % edge) - edge / 2, Math.floor(at / edge) - edge / 2) / edge
    data.set(away > 0.2 && away < 0.35 ? [250, 204, 21, 255] : [30, 27, 75, 255], 4 * at)
  }
  return { width: edge, height: edge, data, reach: Math.SQRT2 }
}
