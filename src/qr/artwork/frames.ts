import { box, type Contour } from '../formats/outline.ts'
import type { Colours } from '../symbol/look.ts'
import { type Artwork, type FrameChoice, type FrameShape, MARGIN } from './artwork.ts'
import { frameTextSize } from './frame-text.ts'
import { figureOf, type Layer, layer, type Surroundings } from './layers.ts'
import { CAP_HEIGHT } from './letters.ts'
import { heightOfText, textFigures } from './text-figures.ts'

/** A picture's background, and the artwork that may leave it out. */
type Drawn = Pick<Colours, 'background'> & { readonly artwork?: Artwork | null | undefined }

/** The measures of all frames, in modules. */
interface Measures {
  /** The quiet zone's edge */
  readonly edge: number
  /** A whole module, or several if the symbol is large: lines and corners grow with it */
  readonly unit: number
  /** Size of the letters, and height of their capitals */
  readonly size: number
  readonly capitals: number
  /** Height of a band with the text in its middle, room for accents included */
  readonly band: number
  /** How far the text stands above its capitals */
  readonly accents: number
}

/** A frame without its colors and its letters. */
interface Plan extends Omit<Surroundings, 'layers'> {
  readonly frame: readonly Contour[]
  /** Where the code stands on its own background within a filled frame */
  readonly ground?: Contour
  /** The text's middle is the page's */
  readonly baseline: number
}

/** A symbol of 29 modules with its quiet zone: its frame's lines are a module wide. */
const COMMON_EDGE = 37
/** A band's height in heights of its capitals: above and below them is room for accents. */
const BAND = 2.4

/** Between a frame and the picture's edge: nothing that is printed beside it or cut there touches it. */
const OUTSIDE = MARGIN.min

/**
 * The frame around a quiet zone.
 *
 * @param edge of the quiet zone in modules
 * @throws UnknownLetter, TextTooWide; Error before `loadLetters`
 */
export function frameAround(frame: FrameChoice, edge: number, drawn: Drawn): Surroundings {
  const size = frameTextSize(frame) * edge
  const capitals = CAP_HEIGHT * size
  const measures: Measures = {
    edge,
    size,
    capitals,
    unit: Math.max(1, Math.round(edge / COMMON_EDGE)),
    band: Math.ceil(BAND * capitals),
    accents: Math.max(0, heightOfText(frame.text) * size - capitals),
  }
  const plan = plans[frame.shape](measures)
  // On a side without a frame, the quiet zone is the margin.
  const above = plan.top > 0 ? OUTSIDE : 0
  const below = plan.top + edge < plan.height ? OUTSIDE : 0
  const line = {
    text: frame.text,
    middle: plan.width / 2 + OUTSIDE,
    baseline: plan.baseline + above,
    size,
  }
  return {
    width: plan.width + 2 * OUTSIDE,
    height: above + plan.height + below,
    left: plan.left + OUTSIDE,
    top: plan.top + above,
    layers: layersOf(frame, plan, drawn, above, textFigures(line)),
  }
}

function layersOf(
  { color, textColor }: FrameChoice,
  { frame, ground }: Pick<Plan, 'frame' | 'ground'>,
  { background, artwork }: Drawn,
  down: number,
  text: Layer['figures'],
): Layer[] {
  const figures = (contours: readonly Contour[]) =>
    contours.map((line) => figureOf(line, OUTSIDE, down))
  // Without a background, the paper is the code's ground.
  const hole = ground && artwork?.transparent ? [ground.toReversed()] : []
  return [
    layer('frame', { colour: color }, figures([...frame, ...hole])),
    ...(ground && !artwork?.transparent
      ? [layer('ground', { colour: background }, figures([ground]))]
      : []),
    layer('text', { colour: textColor }, text),
  ]
}

const plans: Record<FrameShape, (measures: Measures) => Plan> = {
  line: lineAround,
  below: (measures) => bandAt(measures.edge, 0, measures),
  above: (measures) => bandAt(0, measures.band, measures),
  bubble: bubbleBelow,
  ticket: ticketAround,
}

/** The baseline of a text in the middle of a band, by the height of its capitals. */
const inMiddle = (top: number, height: number, { capitals }: Measures) =>
  top + (height + capitals) / 2

/** A rounded line around all, and the text within it below the code. */
function lineAround(measures: Measures): Plan {
  const { edge, unit, size, capitals, accents } = measures
  const above = Math.max(unit / 2, accents + unit / 4)
  const below = 2.5 * unit + size / 10
  const row = Math.ceil(above + capitals + below)
  const [width, height] = [edge + 4 * unit, edge + 3 * unit + row]
  const inner = box(unit, unit, width - 2 * unit, height - 2 * unit, 3 * unit)
  return {
    width,
    height,
    left: 2 * unit,
    top: 2 * unit,
    frame: [box(0, 0, width, height, 4 * unit), inner.toReversed()],
    baseline: 2 * unit + edge + above + capitals + (row - above - capitals - below) / 2,
  }
}

/** A filled band, as wide as the quiet zone, with its top at `y`; the quiet zone's is at `top`. */
function bandAt(y: number, top: number, measures: Measures): Plan {
  const { edge, unit, band } = measures
  return {
    width: edge,
    height: edge + band,
    left: 0,
    top,
    frame: [box(0, y, edge, band, 2 * unit)],
    baseline: inMiddle(y, band, measures),
  }
}

/** A speech bubble that points at the code. */
function bubbleBelow(measures: Measures): Plan {
  const { edge, unit, band } = measures
  const tip = 2 * unit
  const [top, bottom] = [edge + tip, edge + tip + band]
  const radius = Math.min(band / 2, 4 * unit)
  const corner = (x: number, y: number, rounded = 0) => ({ x, y, radius: rounded })
  return {
    width: edge,
    height: bottom,
    left: 0,
    top: 0,
    frame: [
      [
        corner(0, top, radius),
        corner(edge / 2 - tip, top),
        corner(edge / 2, edge),
        corner(edge / 2 + tip, top),
        corner(edge, top, radius),
        corner(edge, bottom, radius),
        corner(0, bottom, radius),
      ],
    ],
    baseline: inMiddle(top, band, measures),
  }
}

/** A filled card whose lower part is to be torn off: notches at both sides, and holes between them. */
function ticketAround(measures: Measures): Plan {
  const { edge, unit, band } = measures
  const notch = 1.5 * unit
  const [near, far] = [2 * unit, edge + 4 * unit]
  const width = far + 2 * unit
  const tear = far + notch
  const [text, height] = [tear + notch, tear + notch + band + unit]
  const hollow = (x: number) => [
    { x, y: tear - notch, radius: 0 },
    { x: Math.abs(x - notch), y: tear - notch, radius: notch },
    { x: Math.abs(x - notch), y: tear + notch, radius: notch },
    { x, y: tear + notch, radius: 0 },
  ]
  const [topLeft, topRight, bottomRight, bottomLeft] = box(0, 0, width, height, 4 * unit)
  const card = [
    ...[topLeft, topRight, ...hollow(width)],
    ...[bottomRight, bottomLeft, ...hollow(0).toReversed()],
  ] as Contour
  return {
    width,
    height,
    left: near + unit,
    top: near + unit,
    frame: [card, ...holes(width, tear, unit)],
    ground: box(near, near, far - near, far - near, 3 * unit),
    baseline: inMiddle(text - unit / 2, band, measures),
  }
}

/** Round holes in a line from one notch to the other. */
function holes(width: number, y: number, unit: number): Contour[] {
  const [hole, from] = [0.7 * unit, 3 * unit]
  const gaps = Math.round((width - 2 * from) / (1.6 * unit))
  return Array.from({ length: gaps + 1 }, (_, index) => {
    const x = from + (index * (width - 2 * from)) / gaps
    return box(x - hole / 2, y - hole / 2, hole, hole, hole / 2).toReversed()
  })
}
