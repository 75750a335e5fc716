import { useEffect, useState } from 'react'
import { toast } from '../messages/toast.tsx'

/** The text of a page whose parts are gone from the server. */
export const RELOAD = 'There’s a newer version of this page. Reload it and try again.'

/**
 * Fetches a part of the page's own program when it is first needed. A tab that is older than
 * the last deploy finds it gone from the server: a toast then says what to do.
 */
export async function importLazily<Part>(load: () => Promise<Part>): Promise<Part | undefined> {
  try {
    return await load()
  } catch {
    toast.error(RELOAD)
    return undefined
  }
}

/** These events show that a user is there, who may need the part next. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/** A page that is laid out below a pointer gets a move of no distance. */
const isAtRest = (event: Event) =>
  event.type === 'pointermove' &&
  event instanceof PointerEvent &&
  event.movementX === 0 &&
  event.movementY === 0

/**
 * A part that is fetched with the first sign of a person, so that it is there when it is needed.
 * `load` must keep its identity.
 */
export function useLatePart<Part extends object>(
  load: () => Promise<Part>,
  needed: boolean,
): Part | Error | undefined {
  const [part, setPart] = useState<Part | Error>()
  const isLoaded = part !== undefined && !(part instanceof Error)
  useEffect(() => {
    if (isLoaded) return
    const fetch = () => {
      load().then(
        (loaded) => setPart(() => loaded),
        (error: Error) => setPart(error),
      )
    }
    if (needed) return fetch()
    const signs = new AbortController()
    const notice = (event: Event) => {
      if (isAtRest(event)) return
      signs.abort()
      fetch()
    }
    for (const sign of SIGNS) {
      window.addEventListener(sign, notice, { passive: true, signal: signs.signal })
    }
    return () => signs.abort()
  }, [isLoaded, needed, load])
  return part
}
