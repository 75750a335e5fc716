import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Style } from '#qr/symbol/look.ts'

type Shapes = Pick<Artwork, 'modules' | 'eyeFrame' | 'eyeBall'>

/** What each style stands for, as `sceneOf` draws it. */
const ofStyle = {
  classic: { modules: 'square', eyeFrame: 'square', eyeBall: 'square' },
  rounded: { modules: 'connected', eyeFrame: 'rounded', eyeBall: 'rounded' },
} as const

/** The shapes that a picture has, chosen by themselves or with the style. */
export function shapesOf(style: Style, { modules, eyeFrame, eyeBall }: Shapes) {
  const plain = ofStyle[style]
  return {
    modules: modules ?? plain.modules,
    eyeFrame: eyeFrame ?? plain.eyeFrame,
    eyeBall: eyeBall ?? plain.eyeBall,
  }
}

/** A choice of one shape. The style's own is no choice: the style goes on deciding. */
export function withShape(style: Style, part: keyof Shapes, shape: string): Partial<Shapes> {
  return { [part]: shape === ofStyle[style][part] ? null : shape }
}

/** A style is one for all shapes: whoever chooses it sees it, whatever shapes were chosen before. */
export const NO_SHAPES: Shapes = { modules: null, eyeFrame: null, eyeBall: null }
