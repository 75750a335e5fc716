import { URL_MAX } from '#contract/code-values.ts'
import { destinationOf } from '#contract/links.ts'

/** What the live code begins with and goes back to. */
export const EXAMPLE_LINK = 'https://example.com/menu'

/**
 * A text as a link: what a code of it holds, and how people write it; or what is wrong with it.
 * Empty text is neither.
 */
export type Reading =
  | { link: string; shown: string; problem: null }
  | { link: null; shown: null; problem: string | null }

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
/** Names a host, with a dot in it, before anything else: people leave out what browsers hide. */
const HOST = /^[^\s/?#@:]+\.[^\s/?#@:]+(:\d+)?([/?#]|$)/

/** As it was written, not as it is encoded. */
const HOST_OF = /^https?:\/\/([^\s/?#:]+)/i

export function readLink(typed: string): Reading {
  const text = typed.trim()
  if (text === '') return { link: null, shown: null, problem: null }
  const whole = HOST.test(text) ? `https://${text}` : text
  const address = destinationOf(whole)
  if (address === null) return { link: null, shown: null, problem: problemOf(whole) }
  // The code says what was typed, as long as every scanner reads it the same and it fits.
  const isPlain = /^[!-~]+$/.test(whole) && whole.length <= URL_MAX
  return {
    link: isPlain ? whole : address,
    shown: whole.length <= URL_MAX ? whole : address,
    problem: null,
  }
}

/** In words for somebody who prints menus; nothing here is their fault yet. */
function problemOf(text: string): string {
  if (text.length > URL_MAX) return 'This link is too long: a code holds at most 2,048 characters.'
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme && !['http', 'https'].includes(scheme)) {
    return 'A code leads to a web page: its link starts with https:// or http://.'
  }
  const url = URL.parse(text)
  if (url?.username || url?.password) {
    return 'Leave the name and password out: everybody who scans the code could read them.'
  }
  return `This is no whole link yet. One looks like ${EXAMPLE_LINK}`
}

/** What a code might be called, by where it leads; empty where that is not known yet. */
export function nameFor(link: string): string {
  const host = HOST_OF.exec(link)?.[1] ?? ''
  return host.toLowerCase().replace(/^www\./, '')
}
