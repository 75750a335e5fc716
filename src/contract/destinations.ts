import { CONTROL } from './characters.ts'
import { URL_MAX } from './code-values.ts'

/**
 * The address that a code may lead to: http or https, no credentials, at most 2,048 characters; null
 * for any other text. It is `new URL(x).href`, which is ASCII and safe in a Location header
 * (RFC 9110 §10.2.2).
 */
export function destinationOf(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text) || CONTROL.test(text)) return null
  if (url.username || url.password || url.href.length > URL_MAX) return null
  return url.href
}
