import { type RefObject, useEffect, useState } from 'react'

/** So far below the window's edge a part begins to be read. */
const AHEAD = '240px'

/** Whether a part of the page is in sight, or nearly. */
export function useInSight(part: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    const element = part.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: `${AHEAD} 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [part])
  return isInSight
}
