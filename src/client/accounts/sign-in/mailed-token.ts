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

const INVITATION = 'invitation'

/** Keeps the secret of an invitation in this tab, while its person logs in. */
export const keepInvitation = (secret: string) =>
  storage((kept) => kept.setItem(INVITATION, secret))

export const forgetInvitation = () => storage((kept) => kept.removeItem(INVITATION))

/** The secret of the invitation that opened this page, or for which its person has logged in; '' after a reload. */
export const invitationToken = () => token ?? storage((kept) => kept.getItem(INVITATION)) ?? ''

/** Whether the link has opened this page: else its person comes back from logging in. */
export const hasCome = () => token !== undefined

/** A tab that may store nothing asks to open the link again. */
function storage<Value>(use: (kept: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

// A second link in the same tab may differ only in its secret: then the browser does not load the page.
globalThis.addEventListener?.('hashchange', () => {
  if (window.location.hash.length > 1) window.location.reload()
})
