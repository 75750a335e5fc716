import { box, type Contour, outline } from '../formats/outline.ts'
import { type Appearance, DEFAULT_LOOK, type Look } from '../symbol/look.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import {
  type Gradient,
  type LogoPicture,
  type LogoPlace,
  PLAIN_ARTWORK,
  shapesOf,
} from './artwork.ts'
import { alignmentContours, ballContours, ringContours } from './eyes.ts'
import { frameAround } from './frames.ts'
import {
  figureOf,
  type GradientPaint,
  type Layer,
  layer,
  type Paint,
  type Surroundings,
  whole,
} from './layers.ts'
import { largestLogo } from './logo-room.ts'

import { type Box, moduleContours } from './module-contours.ts'
import { partsOf } from './parts.ts'

/** A picture's geometry; all in modules from the top left of the page. */
export interface Scene {
  readonly width: number
  readonly height: number
  /** The symbol's top left, and its quiet zone's width */
  readonly left: number
  readonly top: number
  readonly margin: number
  readonly layers: readonly Layer[]
  /** Where the logo's picture goes, as large as it fits; it lies above the plate. */
  readonly logo: (Box & { readonly id: string }) | null
}

/** The drawn part of a look. `ecc` is the symbol's correction, M if absent. */
export type Drawn = Appearance & Partial<Pick<Look, 'ecc'>>

/** A scene has the place of a logo, and needs none of its pixels. */
type Composed = Omit<Drawn, 'logo'> & { readonly logo?: Pick<LogoPicture, 'reach'> | undefined }

/**
 * The picture of a symbol in layers of closed lines.
 *
 * A logo that is too large for the symbol to be scanned is drawn as large as it may be.
 *
 * @throws UnknownLetter, TextTooWide if the frame's text can't be drawn; Error before `loadLetters`
 */
export function sceneOf(matrix: Matrix, drawn: Composed): Scene {
  const artwork = drawn.artwork ?? PLAIN_ARTWORK
  const { margin } = artwork
  const logo = fittingLogo(matrix.size, drawn)
  const edge = matrix.size + 2 * margin
  const around = artwork.frame ? frameAround(artwork.frame, edge, drawn) : bare(edge)
  const [left, top] = [around.left + margin, around.top + margin]
  const symbol = { x: left, y: top, width: matrix.size, height: matrix.size }
  const at = (contours: Contour[]) => contours.map((contour) => figureOf(contour, left, top))
  const shapes = shapesOf(drawn.style, artwork)
  const { modules, alignment } = partsOf(matrix, logo)
  const ink: Paint = {
    colour: drawn.foreground,
    gradient: artwork.gradient ? gradientOn(symbol, artwork.gradient) : undefined,
  }
  const plain = (colour: string): Paint => ({ colour })
  const eyePaint = (colour: string | null) => (colour === null ? ink : plain(colour))
  const place = logo && placeOf(matrix.size, logo)
  const layers: Layer[] = [
    ...(artwork.transparent
      ? []
      : [
          layer(
            'background',
            plain(drawn.background),
            whole(box(0, 0, around.width, around.height)),
          ),
        ]),
    ...around.layers,
    layer('modules', ink, [
      ...at(moduleContours(modules, shapes.modules)),
      ...at(alignment.flatMap((centre) => alignmentContours(centre, shapes.eyeFrame))),
    ]),
    layer('rings', eyePaint(artwork.eyeFrameColor), at(ringContours(matrix, shapes.eyeFrame))),
    layer('balls', eyePaint(artwork.eyeBallColor), at(ballContours(matrix, shapes.eyeBall))),
    ...(place && logo && logo.plate !== 'none'
      ? [layer('plate', plain(drawn.background), at([place]))]
      : []),
  ]
  return {
    width: around.width,
    height: around.height,
    left,
    top,
    margin,
    layers,
    logo: logo && { id: logo.id, ...logoBox(symbol, logo, drawn.logo?.reach) },
  }
}

/** A symbol without artwork, with the lines that its other formats have. */
export function plainScene(matrix: Matrix, { style, foreground, background }: Appearance): Scene {
  const edge = fullSize(matrix)
  const lines = outline(matrix, style).map((contour) => figureOf(contour, QUIET_ZONE, QUIET_ZONE))
  return {
    width: edge,
    height: edge,
    left: QUIET_ZONE,
    top: QUIET_ZONE,
    margin: QUIET_ZONE,
    layers: [
      layer('background', { colour: background }, whole(box(0, 0, edge, edge))),
      layer('modules', { colour: foreground }, lines),
    ],
    logo: null,
  }
}

/** No frame. */
const bare = (edge: number): Surroundings => ({
  width: edge,
  height: edge,
  left: 0,
  top: 0,
  layers: [],
})

/** No place is larger than the symbol can bear: a code's link or correction may have changed since it was chosen. */
export function fittingLogo(
  size: number,
  { artwork, ecc = DEFAULT_LOOK.ecc }: Pick<Drawn, 'artwork' | 'ecc'>,
): LogoPlace | null {
  const logo = artwork?.logo
  if (!logo) return null
  const largest = largestLogo(size, ecc, logo.plate)
  return largest === 0 ? null : { ...logo, size: Math.min(logo.size, largest) }
}

/** The plate, in modules from the symbol's top left. */
function placeOf(size: number, { size: edge, plate }: LogoPlace): Contour {
  const near = (size - edge) / 2
  return box(near, near, edge, edge, plate === 'round' ? edge / 2 : PLATE_RADIUS)
}

const PLATE_RADIUS = 0.5

/** The square that the logo fits into: in a round plate as large as its visible part allows. */
function logoBox(symbol: Box, { size, margin, plate }: LogoPlace, reach = Math.SQRT2): Box {
  const free = size - 2 * margin
  const edge = Math.max(1, plate === 'round' ? free / Math.max(1, reach) : free)
  const near = (symbol.width - edge) / 2
  return { x: symbol.x + near, y: symbol.y + near, width: edge, height: edge }
}

function gradientOn({ x, y, width, height }: Box, { kind, to, angle }: Gradient): GradientPaint {
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  if (kind === 'radial') {
    return { kind, to, x: middleX, y: middleY, radius: width / Math.SQRT2 }
  }
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  // From one side of the square to the other, along this direction.
  const reach = (width / 2) * (Math.abs(cos) + Math.abs(sin))
  return {
    kind,
    to,
    x1: middleX - cos * reach,
    y1: middleY - sin * reach,
    x2: middleX + cos * reach,
    y2: middleY + sin * reach,
  }
}
