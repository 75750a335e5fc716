import { useEffect } from 'react'

/** The browser's tab and history say which screen this is. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Tessera`
  }, [title])
}
