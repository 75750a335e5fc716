import type { FormErrors } from '@mantine/form'
import { type RefObject, useEffect, useRef } from 'react'

/** A ref that focuses a field as soon as it is there. Only for a page that is nothing but its form. */
export function firstFocus(field: HTMLElement | null): void {
  field?.focus()
}

type Form = { getInputNode: (path: string) => HTMLElement | null }

/** After a refused submit the first field with an error gets the focus. */
export function focusFirstError(form: Form): (errors: FormErrors) => void {
  return (errors) => {
    const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
    const inOrder = nodes
      .filter((node) => node !== null)
      .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    inOrder[0]?.focus()
  }
}

/**
 * A row or a button can disappear while it has the focus. The focus then goes where `focusInstead`
 * puts it, and not to the top of the page.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>, focusInstead: () => void): void {
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const element = area.current
    const remember = (event: FocusEvent) => {
      last.current = event.target as Element
    }
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [area])
  useEffect(() => {
    if (!last.current || last.current.isConnected) return
    last.current = null
    if (document.activeElement === document.body) focusInstead()
  })
}

/**
 * The same for an area whose parts come and go by themselves: it takes the focus of what has gone,
 * so it needs a tabIndex.
 */
export function useFocusInside(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current
    if (!element) return
    let last: Element | null = null
    const remember = ({ target }: FocusEvent) => {
      last = target as Element
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      last = null
      element.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [area])
}

/** Mantine gives the focus back to a dialog's opener some 10 ms after the dialog has closed. */
const RETURNED_AFTER_MS = 50

/** For a dialog that has just closed: moves the focus where its opener is no longer on the page. */
export function focusUnlessReturned(focusInstead: () => void): void {
  setTimeout(() => {
    if (document.activeElement === document.body) focusInstead()
  }, RETURNED_AFTER_MS)
}
