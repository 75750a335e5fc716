import { URL_MAX } from '#contract/codes/code-values.ts'
import { completed, destinationOf } from '#contract/links.ts'

/** The link of the example: shown before the visitor types, and when the field is empty again. */
export const EXAMPLE_LINK = 'https://example.com/menu'

/** Empty text is neither a link nor a problem. */
export type Reading =
  | {
      /** The text in the code. */
      link: string
      /** The same as people write it. */
      shown: string
      problem: null
    }
  | { link: null; shown: null; problem: string | null }

const SCHEME = /^([a-z][a-z0-9+.-]*):/i

/** The host as the visitor wrote it, not encoded. */
const HOST_OF = /^https?:\/\/([^\s/?#:]+)/i

export function readLink(typed: string): Reading {
  const text = typed.trim()
  if (text === '') return { link: null, shown: null, problem: null }
  const whole = completed(text)
  const address = destinationOf(whole)
  if (address === null) return { link: null, shown: null, problem: problemOf(whole) }
  // The code holds what was typed if it fits and is plain ASCII, which every scanner reads alike.
  const isPlain = /^[!-~]+$/.test(whole) && whole.length <= URL_MAX
  return {
    link: isPlain ? whole : address,
    shown: whole.length <= URL_MAX ? whole : address,
    problem: null,
  }
}

function problemOf(text: string): string {
  if (text.length > URL_MAX) return 'This link is too long. The limit is 2,048 characters.'
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme && !['http', 'https'].includes(scheme)) {
    return 'Enter a web address that starts with https:// or http://.'
  }
  const url = URL.parse(text)
  if (url?.username || url?.password) {
    return 'Remove the username and password. Anyone who scans the code could read them.'
  }
  return `This link isn’t complete. Try something like ${EXAMPLE_LINK}`
}

/** Suggests the link's host as the name of the code; empty while the text has no host. */
export function nameFor(link: string): string {
  const host = HOST_OF.exec(link)?.[1] ?? ''
  return host.toLowerCase().replace(/^www\./, '')
}
