import {
  type Artwork,
  eyeShapes,
  frameShapes,
  MARGIN,
  moduleShapes,
  plates,
} from '#qr/artwork/artwork.ts'
import { capitalized } from '../../../formats.ts'

const named = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, capitalized(key)])) as Record<Key, string>

export const moduleNames = {
  ...named(moduleShapes),
  vertical: 'Vertical bars',
  horizontal: 'Horizontal bars',
}
export const eyeNames = named(eyeShapes)
export const plateNames = named(plates)
export const frameNames = named(frameShapes)

type Part = string | boolean | null

/** The choices beside logo and frame. The caller has the words for eyes and gradient. */
function chosenParts({ modules, transparent, margin }: Artwork, more: readonly Part[]): string[] {
  return [
    modules && moduleNames[modules],
    ...more,
    transparent && 'Transparent',
    margin !== MARGIN.min && `Margin ${margin}`,
  ].filter((words) => typeof words === 'string')
}

/** The chosen shapes and colours in few words, for the head of a folded section. */
export function shortShapeWords(artwork: Artwork): string[] {
  const { eyeFrame, eyeBall, eyeFrameColor, eyeBallColor, gradient } = artwork
  const hasEyes = (eyeFrame ?? eyeBall ?? eyeFrameColor ?? eyeBallColor) !== null
  return chosenParts(artwork, [hasEyes && 'Eyes', gradient && 'Gradient'])
}

/** The same in full. */
function shapeWords(artwork: Artwork): string[] {
  const { eyeFrame, eyeBall, eyeFrameColor, eyeBallColor } = artwork
  return chosenParts(artwork, [
    eyeFrame && `${eyeNames[eyeFrame]} eye frames`,
    eyeBall && `${eyeNames[eyeBall]} eye centers`,
    eyeFrameColor && `Eye frames ${eyeFrameColor}`,
    eyeBallColor && `Eye centers ${eyeBallColor}`,
    gradientWords(artwork),
  ])
}

function gradientWords({ gradient }: Artwork): string | null {
  if (!gradient) return null
  return gradient.kind === 'radial'
    ? `Radial gradient to ${gradient.to}`
    : `Linear gradient to ${gradient.to} at ${gradient.angle}°`
}

/** An artwork in words, complete enough to tell two apart. */
export function artworkWords(artwork: Artwork | null): string {
  if (!artwork) return 'None'
  const { logo, frame } = artwork
  return [
    ...shapeWords(artwork),
    ...(logo ? [logoWords(logo)] : []),
    ...(frame ? [frameWords(frame)] : []),
  ].join(', ')
}

/** The start of its id distinguishes two logos that are placed alike. */
const logoWords = ({ id, size, plate, margin }: NonNullable<Artwork['logo']>) =>
  `Logo ${id.slice(0, 4)} (${size} modules wide, background: ${plateNames[plate].toLowerCase()}, ${margin} clear)`

const frameWords = ({ shape, text, size, color, textColor }: NonNullable<Artwork['frame']>) =>
  `Frame “${text}” (${frameNames[shape].toLowerCase()}, ${size}, ${color}, text ${textColor})`
