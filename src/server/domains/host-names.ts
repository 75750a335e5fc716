import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { HOST_MAX } from '#contract/codes/code-values.ts'

/** Scripts whose letters look like Latin ones */
const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Labels whose letters come from two such scripts, such as a Cyrillic а in “pаypal” (UTS 39 §5). */
const isMixed = (label: string) => ALIKE.filter((script) => script.test(label)).length > 1

/**
 * A typed host as DNS has it: A-labels (RFC 5890), lower case, without the root's dot.
 * @param ours the host of this server, which no customer can have
 * @returns the host, or why no customer can have it
 */
export function hostOf(typed: string, ours: string): { host: string } | { refusal: string } {
  const text = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .replace(/\.$/, '')
  if (isIP(text.replace(/^\[|\]$/g, ''))) return { refusal: 'Enter a name, not an IP address' }
  const host = domainToASCII(text)
  const labels = host.split('.')
  if (host === '' || host.length > HOST_MAX || !labels.every((label) => LABEL.test(label))) {
    return { refusal: 'Enter a domain, such as qr.example.com' }
  }
  if (labels.length < 2) return { refusal: 'Enter the whole domain, such as qr.example.com' }
  if (domainToUnicode(host).split('.').some(isMixed)) {
    return { refusal: 'This domain mixes letters of two alphabets that look alike' }
  }
  if (host === ours) return { refusal: 'This domain is ours. Enter one that you own.' }
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (!domain || !(isIcann || isPrivate)) {
    return {
      refusal: 'This isn’t a domain that one person can own. Enter one that you’ve registered.',
    }
  }
  return { host }
}
