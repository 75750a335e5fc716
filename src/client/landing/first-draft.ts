import { NAME_MAX } from '#contract/code-values.ts'
import { fieldsOf, presetOf } from '#contract/pictures.ts'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { forgetUnowned, keepForm } from '../kept-form.ts'
import { nameFor } from './typed-link.ts'

/** What a visitor has made of the live code; `link` as they have it so far, empty where they typed none. */
export type Begun = { link: string; look: Look }

/**
 * Puts by in this tab what was begun, for whoever signs in next: their first draft opens with it.
 * Of the example nothing is kept, nor of what was begun before and taken back.
 */
export function keepFirstDraft({ link, look }: Begun): void {
  if (
    link === '' &&
    look.style === DEFAULT_LOOK.style &&
    presetOf(look) === presetOf(DEFAULT_LOOK)
  ) {
    forgetUnowned()
    return
  }
  keepForm({
    userId: null,
    at: Date.now(),
    code: null,
    values: {
      ...{ name: nameFor(link).slice(0, NAME_MAX), url: link, vanityUrl: '' },
      ...fieldsOf(look),
    },
    typed: ['name', 'url', 'style', 'foregroundColor', 'backgroundColor'],
  })
}
