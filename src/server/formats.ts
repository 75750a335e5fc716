/*
 * Counts, percents, amounts, days and moments in the formats of a reader's locale, for mails and pages. Texts
 * around them are English.
 */

/** The locale of readers whose own one is not known */
export const DEFAULT_LOCALE = 'en-US'
/** Longer ones are not read: a language with script and region has at most 11 characters. */
const LOCALE_MAX = 35

/** The reader of a mail or a page: without a locale American, without a zone UTC */
export type Reader = { locale?: string | null | undefined; zone?: string | undefined }

/**
 * The locale of a browser: the first language of its Accept-Language (RFC 9110 §12.5.4), as Intl names
 * it. Undefined if Intl has no formats for it.
 */
export function localeOf(acceptLanguage: string | undefined): string | undefined {
  const first = acceptLanguage?.split(/[,;]/, 1)[0]?.trim() ?? ''
  if (first === '' || first.length > LOCALE_MAX) return undefined
  try {
    // Without extensions, such as another calendar: what is left is one of some hundred locales.
    const { baseName } = new Intl.Locale(first)
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(baseName)
    return known && new Intl.DateTimeFormat(known).resolvedOptions().locale
  } catch {
    return undefined
  }
}

const nameOf = ({ locale }: Reader) => locale ?? DEFAULT_LOCALE

/** "1,204". */
export const formatCount = (count: number, reader: Reader = {}) =>
  count.toLocaleString(nameOf(reader))

/** "1 scan", "1,204 scans". */
export const counted = (count: number, noun: string, reader: Reader = {}) =>
  `${formatCount(count, reader)} ${noun}${count === 1 ? '' : 's'}`

/** "1 minute", "5 minutes". */
export const formatMinutes = (minutes: number, reader: Reader = {}) =>
  minutes.toLocaleString(nameOf(reader), { style: 'unit', unit: 'minute', unitDisplay: 'long' })

/** "20%" for 0.2. */
export const formatPercent = (ratio: number, reader: Reader = {}) =>
  ratio.toLocaleString(nameOf(reader), { style: 'percent' })

/** "$8.49" for 849 and `usd`: the amount is in the smallest unit of its currency, which need not be cents. */
export function formatMoney(amount: number, currency: string, reader: Reader = {}): string {
  const options = { style: 'currency', currency: currency.toUpperCase() } as const
  const format = new Intl.NumberFormat(nameOf(reader), options)
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}

const formatter =
  (options: Intl.DateTimeFormatOptions) =>
  (instant: Date | number, reader: Reader = {}) =>
    new Intl.DateTimeFormat(nameOf(reader), {
      ...options,
      timeZone: reader.zone ?? 'UTC',
    }).format(instant)

/** "November 24, 2026". */
export const formatDay = formatter({ dateStyle: 'long' })
/** "Nov 24, 2026, 3:05 PM". */
export const formatMoment = formatter({ dateStyle: 'medium', timeStyle: 'short' })
/** "November 24, 2026 at 3:05 PM UTC". */
export const formatStart = formatter({
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

const WEEKDAY = { weekday: 'long', month: 'long', day: 'numeric' } as const

/** "Wednesday, November 25". */
export const formatWeekday = formatter(WEEKDAY)
/** "Wednesday, November 25 at 3:05 PM GMT+1". */
export const formatWeekdayMoment = formatter({
  ...WEEKDAY,
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})
/** "Wed, Nov 25". */
export const formatShortWeekday = formatter({ weekday: 'short', month: 'short', day: 'numeric' })
/** "November". */
export const formatMonth = formatter({ month: 'long' })
/** "6 PM". */
export const formatHour = formatter({ hour: 'numeric' })
