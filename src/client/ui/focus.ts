import type { FormErrors } from '@mantine/form'
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** A ref that focuses a field as soon as it is there. Only for a page that is nothing but its form. */
export function firstFocus(field: HTMLElement | null): void {
  field?.focus()
}

type Form = { getInputNode: (path: string) => HTMLElement | null }

/** After a refused submit the first field with an error gets the focus. */
export function focusFirstError(form: Form): (errors: FormErrors) => void {
  return (errors) => {
    const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
    const sorted = nodes
      .filter((node) => node !== null)
      .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    sorted[0]?.focus()
  }
}

/** The innermost area in which a focus came, so that the areas around it leave it alone. */
const innermost = new WeakMap<FocusEvent, HTMLElement>()

/**
 * A row or a button can disappear while it has the focus. The focus then goes where `focusInstead` puts
 * it, and not to the top of the page; by default to the area, which then needs a tabIndex.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>, focusInstead?: () => void): void {
  const move = useEffectEvent(() => {
    if (focusInstead) focusInstead()
    else area.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    let last: Element | null = null
    let inner: HTMLElement | undefined
    // It bubbles, so an inner area hears of it first.
    const remember = (event: FocusEvent) => {
      last = event.target as Element
      inner = innermost.get(event)
      innermost.set(event, inner ?? element)
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      if (inner?.isConnected) return
      last = null
      // A menu that closes gives the focus back to its opener.
      focusUnlessReturned(move)
    })
    element.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [area])
}

/** Mantine gives the focus back to the opener of a dialog or a menu some 10 ms after it has closed. */
const RETURNED_AFTER_MS = 50

/** Focuses a field that is about to be drawn, also if it was asked for in a menu, which closes first. */
export function focusNew(find: () => HTMLElement | null): void {
  setTimeout(() => find()?.focus(), RETURNED_AFTER_MS)
}

/** Moves the focus after a dialog has closed, unless Mantine has given it back. */
export function focusUnlessReturned(focusInstead: () => void): void {
  setTimeout(() => {
    if (document.activeElement === document.body) focusInstead()
  }, RETURNED_AFTER_MS)
}
