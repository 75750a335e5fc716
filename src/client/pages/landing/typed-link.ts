import { URL_MAX } from '#contract/code-values.ts'
import { destinationOf } from '#contract/destinations.ts'

/** What the live code begins with and goes back to. */
export const EXAMPLE_LINK = 'https://example.com/menu'

/** A text as a link that a code can lead to, or what is wrong with it; empty text is neither. */
export type Reading = { link: string | null; problem: string | null }

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
/** Names a host, with a dot in it, before anything else: people leave out what browsers hide. */
const HOST = /^[^\s/?#@:]+\.[^\s/?#@:]+(:\d+)?([/?#]|$)/

export function readLink(typed: string): Reading {
  const text = typed.trim()
  if (text === '') return { link: null, problem: null }
  const whole = HOST.test(text) ? `https://${text}` : text
  const address = destinationOf(whole)
  if (address === null) return { link: null, problem: problemOf(whole) }
  // The code says what was typed, as long as every scanner reads it the same.
  return { link: /^[!-~]+$/.test(whole) ? whole : address, problem: null }
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
  return (URL.parse(link)?.hostname ?? '').replace(/^www\./, '')
}
