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

/** The chosen shapes and colours in few words, for the head of a folded section. */
export function shortShapeWords(artwork: Artwork): string[] {
  const { modules, eyeFrame, eyeBall, eyeFrameColor, eyeBallColor } = artwork
  const hasEyes = eyeFrame ?? eyeBall ?? eyeFrameColor ?? eyeBallColor
  return [
    modules && moduleNames[modules],
    hasEyes && 'Eyes',
    artwork.gradient && 'Gradient',
    artwork.transparent && 'Transparent',
    artwork.margin !== MARGIN.min && `Margin ${artwork.margin}`,
  ].filter((words) => typeof words === 'string')
}

/** The same in full. */
function shapeWords(artwork: Artwork): string[] {
  const { modules, eyeFrame, eyeBall, eyeFrameColor, eyeBallColor } = artwork
  return [
    modules && moduleNames[modules],
    eyeFrame && `${eyeNames[eyeFrame]} eye frames`,
    eyeBall && `${eyeNames[eyeBall]} eye centers`,
    eyeFrameColor && `Eye frames ${eyeFrameColor}`,
    eyeBallColor && `Eye centers ${eyeBallColor}`,
    gradientWords(artwork),
    artwork.transparent && 'Transparent',
    artwork.margin !== MARGIN.min && `Margin ${artwork.margin}`,
  ].filter((words) => typeof words === 'string')
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
