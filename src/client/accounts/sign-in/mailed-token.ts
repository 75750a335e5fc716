let token: string | undefined

/**
 * Takes the secret of a mailed link out of the address, before anything else runs: no history, no
 * other script and no screenshot has it from then on. It lives as long as the page does.
 */
export function takeToken(): void {
  const { hash, pathname, search } = window.location
  if (hash.length > 1 && new URLSearchParams(search).has('link')) {
    token = hash.slice(1)
    window.history.replaceState(null, '', pathname + search)
  }
}

/** The secret of the link that opened this page; undefined after a reload. */
export const mailedToken = () => token

// A second link in the same tab may differ only in its secret: then the browser does not load the page.
globalThis.addEventListener?.('hashchange', () => {
  if (window.location.hash.length > 1) window.location.reload()
})
