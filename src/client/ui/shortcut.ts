import { useEffect, useEffectEvent } from 'react'
import { useShortcutPreference } from './shortcut-preference.ts'

const TYPING =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])'

/** A key of its own means something only where it would not be typed, and not behind a dialog. */
function isFree(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented, target } = event
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return false
  if (target instanceof Element && target.closest(TYPING)) return false
  return !document.querySelector('[role=dialog], [role=alertdialog]')
}

/** Acts on a single key, unless the person wants none. Shift is no matter: on many keyboards a slash needs it. */
export function useShortcut(key: string, act: () => void): void {
  const { isOn } = useShortcutPreference()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn || event.key.toLowerCase() !== key || !isFree(event)) return
    // What gets the focus must not also be typed into.
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
