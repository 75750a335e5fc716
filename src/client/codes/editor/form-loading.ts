import { useEffect, useState } from 'react'
import type { CodeForm } from './code-form.tsx'

type Form = typeof CodeForm | 'failed'

const loadForm = (): Promise<Form> =>
  import('./code-form.tsx').then(
    (module) => module.CodeForm,
    () => 'failed',
  )

/** What tells that somebody is there, who may open a code next. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * The form with its schema, which the list can be read without: it is on its way from the first sign
 * of a person, and there when they have found what to press.
 */
export function useCodeForm(opened: boolean): Form | undefined {
  const [form, setForm] = useState<Form>()
  const isLoaded = typeof form === 'function'
  useEffect(() => {
    if (isLoaded) return
    const load = async () => {
      const loaded = await loadForm()
      setForm(() => loaded)
    }
    if (opened) return void load()
    const signs = new AbortController()
    for (const sign of SIGNS) {
      window.addEventListener(sign, load, { once: true, passive: true, signal: signs.signal })
    }
    return () => signs.abort()
  }, [isLoaded, opened])
  return form
}
