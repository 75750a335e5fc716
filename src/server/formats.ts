/* Counts, days and times in the formats of a reader's locale. Texts around them are English. */

export const DEFAULT_LOCALE = 'en-US'

/** A longer header names no locale that its reader would miss. */
const HEADER_MAX = 200

/** The first locale of an Accept-Language header that we can format for (RFC 9110 §12.5.4), else en-US. */
export function localeOf(acceptLanguage: string | undefined): string {
  const wishes = (acceptLanguage ?? '').slice(0, HEADER_MAX).split(',').map(readWish)
  // The order stays among wishes of one weight.
  const wanted = wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return wanted.find(({ tag }) => isKnown(tag))?.tag ?? DEFAULT_LOCALE
}

function readWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  return { tag, weight: given === undefined ? 1 : Number(given) }
}

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

/** "1,204", or "1.204" in Germany. */
export const formatCount = (count: number, locale = DEFAULT_LOCALE) => count.toLocaleString(locale)

type Instant = string | number | Date

/** "Dec 4, 2026" in a zone. */
export const formatDay = (instant: Instant, locale = DEFAULT_LOCALE, timeZone = 'UTC') =>
  new Date(instant).toLocaleDateString(locale, { dateStyle: 'medium', timeZone })

/** "Dec 4, 2026, 3:05 PM" in a zone. */
export const formatMoment = (instant: Instant, locale = DEFAULT_LOCALE, timeZone = 'UTC') =>
  new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
