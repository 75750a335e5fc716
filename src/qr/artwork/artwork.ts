import type { Pixels } from '../formats/pixels.ts'

/*
 * The parts of a picture beyond its style and its two colors: shapes, colors of the eyes, a
 * gradient, no background, a wider quiet zone, a logo and a frame. Lengths are modules.
 */

export const moduleShapes = [
  ...(['square', 'rounded', 'dots', 'connected'] as const),
  ...(['diamond', 'vertical', 'horizontal'] as const),
] as const
export type ModuleShape = (typeof moduleShapes)[number]

/** Shapes of an eye's ring and of the ball in its middle. */
export const eyeShapes = ['square', 'rounded', 'circle', 'leaf'] as const
export type EyeShape = (typeof eyeShapes)[number]

export const gradientKinds = ['linear', 'radial'] as const

/** From the foreground to this color: over the symbol's box, or from its middle to its corners. */
export interface Gradient {
  readonly kind: (typeof gradientKinds)[number]
  readonly to: string
  /** The direction of a linear gradient in degrees: 0 runs to the right, 90 down */
  readonly angle: number
}

/** The least quiet zone is the standard's (ISO/IEC 18004:2024 §5.3.8). */
export const MARGIN = { min: 4, max: 10 } as const

export const plates = ['none', 'square', 'round'] as const
export type Plate = (typeof plates)[number]

/** A logo in the middle, on its place. `id` names the picture among those of the account. */
export interface LogoPlace {
  readonly id: string
  /** Edge of the place, or its diameter: the code keeps clear of it */
  readonly size: number
  /** The place's shape, and whether it is filled with the background's color; 'none' is a square */
  readonly plate: Plate
  /** Between the place's edge and the logo */
  readonly margin: number
}

/** A smaller place shows nothing; half of the largest symbol is more than any correction repairs. */
export const LOGO_SIZE = { min: 3, max: 89 } as const
export const LOGO_MARGIN = { min: 0, max: 3 } as const

export const frameShapes = ['line', 'below', 'above', 'bubble', 'ticket'] as const
export type FrameShape = (typeof frameShapes)[number]

/** A frame around the quiet zone, with a call to action. */
export interface FrameChoice {
  readonly shape: FrameShape
  readonly text: string
  readonly size: (typeof frameSizes)[number]
  readonly color: string
  readonly textColor: string
}

export const frameSizes = ['small', 'medium', 'large'] as const
export const FRAME_TEXT_MAX = 30

/** The logo's picture, as the account keeps it. */
export interface LogoPicture extends Pixels {
  /** How far its visible part goes from its middle, in halves of its longer edge: 1 for a disc, 1.42 for a square */
  readonly reach: number
}

/** If a shape or a color is null, the picture's style and foreground decide. */
export interface Artwork {
  readonly modules: ModuleShape | null
  readonly eyeFrame: EyeShape | null
  readonly eyeBall: EyeShape | null
  readonly eyeFrameColor: string | null
  readonly eyeBallColor: string | null
  readonly gradient: Gradient | null
  readonly transparent: boolean
  readonly margin: number
  readonly logo: LogoPlace | null
  readonly frame: FrameChoice | null
}

export const PLAIN_ARTWORK: Artwork = {
  modules: null,
  eyeFrame: null,
  eyeBall: null,
  eyeFrameColor: null,
  eyeBallColor: null,
  gradient: null,
  transparent: false,
  margin: MARGIN.min,
  logo: null,
  frame: null,
}

type Shapes = Pick<Artwork, 'modules' | 'eyeFrame' | 'eyeBall'>

/** The shapes that each style has. */
export const styleShapes = {
  classic: { modules: 'square', eyeFrame: 'square', eyeBall: 'square' },
  rounded: { modules: 'connected', eyeFrame: 'rounded', eyeBall: 'rounded' },
} as const

/** The shapes that a picture has, chosen by themselves or with the style. */
export function shapesOf(style: keyof typeof styleShapes, { modules, eyeFrame, eyeBall }: Shapes) {
  const plain = styleShapes[style]
  return {
    modules: modules ?? plain.modules,
    eyeFrame: eyeFrame ?? plain.eyeFrame,
    eyeBall: eyeBall ?? plain.eyeBall,
  }
}
