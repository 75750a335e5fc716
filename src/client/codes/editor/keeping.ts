import { useEffect, useEffectEvent } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { keepForm } from '../../kept-form.ts'
import { beforeSigningIn, isGoingToSignIn } from '../../ui/sign-in-again.ts'
import type { EditorForm, Values } from './editor.ts'
import type { Leaving } from './leaving.ts'

type Open = {
  /** Not while the dialog closes: what was saved or discarded is not kept. */
  opened: boolean
  userId: string
  /** The edited code; undefined for a new one. */
  edited: QrCode | undefined
  form: EditorForm
  leaving: Leaving
}

/**
 * Nothing that was typed is lost to a page that goes away: an ended session or a crash puts the form
 * by until its person is back, and the browser itself asks about a reload or a closed tab of an open form.
 */
export function useKeeping({ opened, userId, edited, form, leaving }: Open): void {
  const keep = useEffectEvent(() => {
    const values = form.getValues()
    const fields = Object.keys(values) as (keyof Values)[]
    const typed = fields.filter((field) => form.isDirty(field))
    const code = edited ? { id: edited.id, name: edited.name } : null
    keepForm({ userId, at: Date.now(), code, values, typed })
  })
  useEffect(() => (opened ? beforeSigningIn(() => keep()) : undefined), [opened])
  // A form that goes before it is left has crashed, or its page is gone: it is back with the next one.
  const keepUnsaved = useEffectEvent(() => {
    if (leaving.hasUnsaved()) keep()
  })
  useEffect(() => () => keepUnsaved(), [])
  const askToStay = useEffectEvent((event: Event) => {
    // On the way to sign in nothing is lost.
    if (form.isDirty() && !isGoingToSignIn()) event.preventDefault()
  })
  useEffect(() => (opened ? beforeUnload((event) => askToStay(event)) : undefined), [opened])
}

/**
 * The browser asks in its own words, where it knows of a listener: one that came with the first
 * letter would be too late for a reload right after it.
 */
function beforeUnload(listener: (event: Event) => void): () => void {
  window.addEventListener('beforeunload', listener)
  return () => window.removeEventListener('beforeunload', listener)
}
