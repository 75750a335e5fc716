import { artwork as artworkSchema } from '#contract/pictures/artwork.ts'
import {
  type Artwork,
  type FrameChoice,
  type FrameShape,
  LOGO_SIZE,
  PLAIN_ARTWORK,
  type Plate,
  styleShapes,
} from '#qr/artwork/artwork.ts'
import { frameTextSize, TextTooWide } from '#qr/artwork/frame-text.ts'
import { UnknownLetter } from '#qr/artwork/letters.ts'
import type { LogoCost } from '#qr/artwork/logo-room.ts'
import { HEX_COLOUR, type Look, type Style } from '#qr/symbol/look.ts'
import type { Values } from '../../../kept-form.ts'
import type { EditorForm } from '../editor.ts'

const PLAIN = JSON.stringify(PLAIN_ARTWORK)

/** Artwork that changes nothing is none: a form that is as it was has no changes. */
export const orNone = (artwork: Artwork): Artwork | null =>
  JSON.stringify(artwork) === PLAIN ? null : artwork

/** A form's artwork, and how to change parts of it. `more` goes with it in the same step. */
export function artworkOf(form: EditorForm) {
  const artwork = form.values.artwork ?? PLAIN_ARTWORK
  const change = (part: Partial<Artwork>, more: Partial<Pick<Values, 'ecc' | 'style'>> = {}) => {
    for (const path of Object.keys(form.errors)) {
      const [field, name = ''] = path.split('.')
      if (field === 'artwork' && name in part) form.clearFieldError(path)
    }
    form.setFieldValue('artwork', orNone({ ...artwork, ...part }))
    if (more.ecc) form.setFieldValue('ecc', more.ecc)
    if (more.style) form.setFieldValue('style', more.style)
  }
  return { artwork, change }
}

const mayBeDrawn = artworkSchema.nullable()

/** A colour or a text that is still being typed cannot be drawn. */
export function isDrawable({ foreground, background, artwork = null }: Look): boolean {
  if (!HEX_COLOUR.test(foreground) || !HEX_COLOUR.test(background)) return false
  return mayBeDrawn.safeParse(artwork).success
}

type Shapes = Pick<Artwork, 'modules' | 'eyeFrame' | 'eyeBall'>

/** A choice of one shape. The style's own shape is stored as null: the style goes on deciding. */
export function withShape(style: Style, part: keyof Shapes, shape: string): Partial<Shapes> {
  return { [part]: shape === styleShapes[style][part] ? null : shape }
}

/** Choosing a style resets the shapes, so that the picture shows that style. */
export const NO_SHAPES: Shapes = { modules: null, eyeFrame: null, eyeBall: null }

export const hasOwnShapes = ({ modules, eyeFrame, eyeBall }: Shapes) =>
  (modules ?? eyeFrame ?? eyeBall) !== null

type Colours = { foregroundColor: string; backgroundColor: string }

/** A frame that is filled has its text in the background's colour; a line leaves it on the background. */
const coloursOf = (shape: FrameShape, { foregroundColor, backgroundColor }: Colours) => ({
  color: foregroundColor,
  textColor: shape === 'line' ? foregroundColor : backgroundColor,
})

const FIRST_TEXT = 'Scan me'

/** A frame of a shape: text, size and colours stay as they were chosen. */
export function withFrameShape(
  frame: FrameChoice | null,
  shape: FrameShape,
  colours: Colours,
): FrameChoice {
  const fresh = coloursOf(shape, colours)
  if (!frame) return { shape, text: FIRST_TEXT, size: 'medium', ...fresh }
  const former = coloursOf(frame.shape, colours)
  const isOwn = frame.color !== former.color || frame.textColor !== former.textColor
  return isOwn ? { ...frame, shape } : { ...frame, shape, ...fresh }
}

/** The error of a frame's text, in the words of its field; null if there is none. */
export function frameTextProblem(text: string): string | null {
  try {
    frameTextSize({ text: text.trim(), size: 'small' })
    return null
  } catch (error) {
    if (error instanceof TextTooWide) return 'This text is too wide for a frame. Use fewer letters.'
    if (!(error instanceof UnknownLetter)) throw error
    return `“${error.letter}” can’t be drawn here. Use Latin, Greek, or Cyrillic letters, numbers, and punctuation.`
  }
}

/** The cost of a size in plain words. */
export function costText({ taken }: LogoCost, isLargest: boolean): string {
  const share = Math.round(taken * 100)
  const cost = `It uses ${share}% of what error correction can repair. The rest is for dirt and scratches.`
  return isLargest ? `${cost} A larger logo would leave too little.` : cost
}

/** The size that a logo begins with: easy to see, and well below the largest. Odd sizes waste no modules. */
export function firstSize(largest: number): number {
  const size = Math.round(largest * 0.75)
  return Math.max(LOGO_SIZE.min, Math.min(largest, size % 2 === 0 ? size + 1 : size))
}

export const FIRST_PLATE: Plate = 'square'
