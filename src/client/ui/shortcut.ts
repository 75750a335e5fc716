import { useLocalStorage, useWindowEvent } from '@mantine/hooks'

const KEY = 'tessera-shortcuts'

/** Whether single keys do something here: WCAG 2.2 §2.1.4 asks for a way to turn them off. */
export function useShortcutPreference() {
  const [isOn, setOn] = useLocalStorage({
    key: KEY,
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return { isOn, setOn }
}

const TYPING =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])'

export const isTyping = ({ target }: Event) => target instanceof Element && !!target.closest(TYPING)

/** False while the user types, and behind a dialog. */
function isFree(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return false
  if (isTyping(event)) return false
  return !isCovered()
}

const isCovered = () => !!document.querySelector('[role=dialog], [role=alertdialog]')

/** Calls `act` on a single key, unless the person has turned shortcuts off. Shift is ignored: many keyboards need it for a slash. */
export function useShortcut(key: string, act: () => void): void {
  const { isOn } = useShortcutPreference()
  useWindowEvent('keydown', (event) => {
    if (!isOn || event.key.toLowerCase() !== key || !isFree(event)) return
    // The field that gets the focus must not receive the key as well.
    event.preventDefault()
    act()
  })
}

/** Calls `act` on Ctrl or ⌘ with a key. On a Mac, Ctrl with a letter edits the text of a field. */
export function useCommand(key: string, act: () => void): void {
  useWindowEvent('keydown', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event
    if (event.key.toLowerCase() !== key || ctrlKey === metaKey || altKey || shiftKey) return
    if (defaultPrevented || isCovered() || (ctrlKey && isTyping(event))) return
    event.preventDefault()
    act()
  })
}
