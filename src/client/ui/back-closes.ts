import { useEffect, useEffectEvent } from 'react'

const MARK = 'dialog'

const isAtDialog = () => Boolean(window.history.state?.[MARK])
const marked = () => ({ ...window.history.state, [MARK]: true })

/** A place of its own in the history, at the same address. */
const enter = () => window.history.pushState(marked(), '')

/** The router writes an address over the place, and the mark with it. */
const stay = () => {
  if (!isAtDialog()) window.history.replaceState(marked(), '')
}

/** Gives the place up; the address that the page has got meanwhile is carried over. */
function leavePlace(): void {
  let address = window.location.href
  const note = () => {
    address = window.location.href
  }
  const carryOver = () => {
    window.removeEventListener('replaceState', note)
    if (window.location.href !== address) {
      window.history.replaceState(window.history.state, '', address)
    }
  }
  // The router tells of its own changes by this event.
  window.addEventListener('replaceState', note)
  window.addEventListener('popstate', carryOver, { once: true })
  window.history.back()
}

/**
 * The back button closes what is open, as people know it from their phones, and does not take them
 * from the page with all that they have typed. `leave` may ask first, so the place is taken again
 * until it has closed.
 */
export function useBackCloses(opened: boolean, leave: () => void): void {
  const onBack = useEffectEvent(() => {
    // A dialog that closed a moment ago has gone back itself.
    if (isAtDialog()) return
    enter()
    leave()
  })
  useEffect(() => {
    if (!opened) return
    const listen = () => onBack()
    enter()
    window.addEventListener('popstate', listen)
    window.addEventListener('replaceState', stay)
    return () => {
      window.removeEventListener('popstate', listen)
      window.removeEventListener('replaceState', stay)
      // Not where a link in the dialog has led to another page.
      if (isAtDialog()) leavePlace()
    }
  }, [opened])
}
