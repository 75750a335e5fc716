import { useEffect, useEffectEvent } from 'react'
import { NAME_MAX } from '#contract/codes/code-values.ts'
import { fieldsOf, presetOf } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { forgetUnowned, keepForm, keepPicture } from '../kept-form.ts'
import { nameFor } from './typed-link.ts'

const SIGN_IN_LINK = 'a[href^="/api/login"]'

/** The code that the visitor has made so far; `link` is empty when they have typed none. */
type FirstCode = { link: string; look: Look; picture: string | null }

/** Keeps the code when the visitor follows any link to the sign-in page. */
export function useFirstDraft(code: FirstCode): void {
  const keep = useEffectEvent(() => keepFirstDraft(code))
  useEffect(() => {
    const keepOnTheWay = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(SIGN_IN_LINK)) keep()
    }
    document.addEventListener('click', keepOnTheWay)
    return () => document.removeEventListener('click', keepOnTheWay)
  }, [])
}

/**
 * Keeps the code in this tab: the first draft of the next person who signs in opens with it. When the
 * visitor has gone back to the example, nothing is kept.
 */
function keepFirstDraft({ link, look, picture }: FirstCode): void {
  const isExample =
    link === '' && look.style === DEFAULT_LOOK.style && presetOf(look) === presetOf(DEFAULT_LOOK)
  if (isExample) {
    forgetUnowned()
    return
  }
  keepPicture(picture)
  keepForm({
    userId: null,
    at: Date.now(),
    code: null,
    values: {
      name: nameFor(link).slice(0, NAME_MAX),
      url: link,
      domain: '',
      vanityUrl: '',
      tags: [],
      passQuery: false,
      ...fieldsOf(look),
    },
    typed: ['name', 'url', 'style', 'foregroundColor', 'backgroundColor'],
  })
}
