import type { About, Drawn, Kept } from '../kept.ts'
import { barsPicture } from './bars-picture.ts'
import { hoursPicture } from './hours-picture.ts'
import { linePicture } from './line-picture.ts'
import { mapPicture } from './map-picture.ts'
import { type Body, pageOf } from './page.ts'

/** A card as a picture in SVG, which needs nothing from outside. */
export function pictureOf({ title, definition, drawn }: Kept, { said, foot }: About): string {
  return pageOf({ title, said, foot: [definition, ...foot] }, bodyOf(drawn))
}

function bodyOf(drawn: Drawn): Body {
  switch (drawn.kind) {
    case 'line':
      return linePicture(drawn)
    case 'bars':
      return barsPicture(drawn)
    case 'map':
      return mapPicture(drawn.countries, drawn.noun, barsPicture(drawn))
    case 'hours':
      return hoursPicture(drawn.rows, drawn.noun)
  }
}
