import { type Contour, type Pen, stroke } from '../formats/outline.ts'

/** The layers of a picture, from the back to the front. A name is also its group's in an SVG. */
export const layerNames = [
  ...(['background', 'frame', 'ground', 'modules', 'rings', 'balls', 'plate', 'text'] as const),
] as const
export type LayerName = (typeof layerNames)[number]

/** A closed line of one layer. Lines never cross within a layer; those of holes run the other way. */
export type Figure = (pen: Pen) => void

/** A flat color, or the gradient that begins with it. */
export interface Paint {
  readonly colour: string
  readonly gradient?: GradientPaint | undefined
}

/** A gradient's place on the page in modules: a line's two ends, or a middle and a radius. */
export type GradientPaint = { readonly to: string } & (
  | {
      readonly kind: 'linear'
      readonly x1: number
      readonly y1: number
      readonly x2: number
      readonly y2: number
    }
  | { readonly kind: 'radial'; readonly x: number; readonly y: number; readonly radius: number }
)

export interface Layer {
  readonly name: LayerName
  readonly paint: Paint
  readonly figures: readonly Figure[]
}

/** A place on the page around the symbol's quiet zone, and what is drawn in it. */
export interface Surroundings {
  readonly width: number
  readonly height: number
  /** Top left of the quiet zone; whole modules, so that the symbol's edges stay sharp */
  readonly left: number
  readonly top: number
  readonly layers: readonly Layer[]
}

/** The contour as a figure whose origin is moved. */
export function figureOf(contour: Contour, left: number, top: number): Figure {
  const moved = contour.map(({ x, y, radius }) => ({ x: x + left, y: y + top, radius }))
  return (pen) => stroke(moved, pen)
}

export const layer = (name: LayerName, paint: Paint, figures: readonly Figure[]): Layer => ({
  name,
  paint,
  figures,
})

export const whole = (contour: Contour) => [figureOf(contour, 0, 0)]
