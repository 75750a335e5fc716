import { type Artwork, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import type { Values } from '../../../kept-form.ts'
import type { EditorForm } from '../editor.ts'

const PLAIN = JSON.stringify(PLAIN_ARTWORK)

/** Artwork that changes nothing is none: a form that is as it was has no changes. */
const orNone = (artwork: Artwork): Artwork | null =>
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
