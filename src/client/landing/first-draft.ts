import { DEFAULT_ECC, NAME_MAX } from '#contract/code-values.ts'
import { forgetUnowned, keepForm } from '../kept-form.ts'
import { FIRST_LOOK, type LiveLook } from './live-look.ts'
import { nameFor } from './typed-link.ts'

/** What a visitor has made of the live code; `link` as they have it so far, empty where they typed none. */
export type Begun = { link: string; look: LiveLook }

/**
 * Puts by in this tab what was begun, for whoever signs in next: their first draft opens with it.
 * Of the example nothing is kept, nor of what was begun before and taken back.
 */
export function keepFirstDraft({ link, look }: Begun): void {
  const { style, colours } = look
  if (link === '' && style === FIRST_LOOK.style && colours === FIRST_LOOK.colours) {
    forgetUnowned()
    return
  }
  keepForm({
    userId: null,
    at: Date.now(),
    code: null,
    values: {
      ...{ name: nameFor(link).slice(0, NAME_MAX), url: link, vanityUrl: '', style },
      ...{ foregroundColor: colours.foreground, backgroundColor: colours.background },
      ...{ ecc: DEFAULT_ECC, compact: false },
    },
    typed: ['name', 'url', 'style', 'foregroundColor', 'backgroundColor'],
  })
}
