import { artwork } from '#contract/pictures/artwork.ts'
import { HEX_COLOUR, type Look } from '#qr/symbol/look.ts'

const mayBeDrawn = artwork.nullable()

/** A colour or a text that is still being typed cannot be drawn. */
export function isDrawable({ foreground, background, artwork = null }: Look): boolean {
  if (!HEX_COLOUR.test(foreground) || !HEX_COLOUR.test(background)) return false
  return mayBeDrawn.safeParse(artwork).success
}
