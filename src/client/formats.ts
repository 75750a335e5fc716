import { HOUR_MS } from '#contract/time.ts'

/* Counts, days, times and zones in the formats of the browser's locale. Texts around them are English. */

/** "1,204", or "1.204" in Germany. */
export function formatCount(count: number): string {
  return count.toLocaleString()
}

/** "1 scan", "1,204 scans". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** "Medium" for "medium". */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Choices that are called as their values are. */
export const choicesOf = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: capitalized(value) }))

/** A number with at most that many decimals: "1.97". */
export const formatNumber = (value: number, digits: number) =>
  value.toLocaleString(undefined, { maximumFractionDigits: digits })

/** A large number in short: "1.5M". */
export const formatShort = (value: number) =>
  value.toLocaleString(undefined, { notation: 'compact' })

/** A ratio as a percentage without decimals: "20%" for 0.2. */
export const formatPercent = (ratio: number) =>
  ratio.toLocaleString(undefined, { style: 'percent' })

/** Words of a sentence, in English as the sentence: "Countries, Cities, and Picture". */
export const listText = (parts: readonly string[]) => new Intl.ListFormat('en-US').format(parts)

/** A format is made when it is first used: that costs a slow phone more than its use. */
function once<Format>(make: () => Format): () => Format {
  let format: Format | undefined
  return () => (format ??= make())
}

/** The English names of codes; a code without one stays as it is. */
function namesOf(type: 'region' | 'language'): (code: string) => string {
  const names = once(() => new Intl.DisplayNames(['en'], { type }))
  return (code) => {
    try {
      return names().of(code) ?? code
    } catch {
      return code
    }
  }
}

/** "Germany" for "DE". */
export const regionName = namesOf('region')

/** "Polish" for "pl". */
export const languageName = namesOf('language')

type Instant = string | number | Date

const formatOf = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(undefined, options))

function formatter(options: Intl.DateTimeFormatOptions): (instant: Instant) => string {
  const format = formatOf(options)
  return (instant) => format().format(new Date(instant))
}

/** An instant as a day in the visitor's zone, such as "Dec 4, 2026": a day is never taken for a month. */
export const formatDay = formatter({ dateStyle: 'medium' })

/** The same with the time: "Dec 4, 2026, 3:05 PM". */
export const formatMoment = formatter({ dateStyle: 'medium', timeStyle: 'short' })

/** "3:05 PM". */
export const formatTime = formatter({ timeStyle: 'short' })

/** The time in a zone. */
export const timeIn = (timeZone: string, instant: Instant) =>
  formatter({ timeStyle: 'short', timeZone })(instant)

/** "Monday, November 30". */
export const weekdayIn = (timeZone: string, instant: Instant) =>
  formatter({ weekday: 'long', month: 'long', day: 'numeric', timeZone })(instant)

/** "Oct 25 – Nov 23, 2026", and with their times if `withTime` is set. */
export function formatPeriod(from: Date, to: Date, timeZone: string, withTime: boolean): string {
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: 'medium',
    timeStyle: withTime ? 'short' : undefined,
    timeZone,
  })
  return withPlainSpaces(format.formatRange(from, to))
}

/** Ranges have spaces that are too narrow for some fonts. */
const withPlainSpaces = (text: string) => text.replace(/[\u2009\u202f]/g, ' ')

/*
 * Days and hours of a zone come from the server as 2026-11-23 or 2026-11-23T18:00. They are read and
 * written as UTC, so that no zone moves them.
 */

const localFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = formatter({ ...options, timeZone: 'UTC' })
  return (at: string) => format(localInstant(at))
}

const localInstant = (at: string) => Date.parse(at.includes('T') ? `${at}Z` : `${at}T00:00Z`)

/** Hours since 1970, as the clocks of the zone count them. */
export const localHours = (at: string) => localInstant(at) / HOUR_MS

/** "6 PM". */
export const localHour = localFormatter({ hour: 'numeric' })
/** "Mon, Nov 23, 6 PM". */
export const localWeekdayHour = localFormatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
})
/** "Mon, Nov 23, 2026". */
export const localWeekday = localFormatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})
/** "Mon, Nov 23". */
export const localShortWeekday = localFormatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
})
const hourFormat = formatOf({ hour: 'numeric', timeZone: 'UTC' })

/** "6 – 7 PM", "18–19 Uhr": the hour of a day from `hour` to the next one. */
export function localHourSpan(hour: number): string {
  const format = hourFormat()
  const [from, to] = [Date.UTC(2026, 0, 1, hour), Date.UTC(2026, 0, 1, hour + 1)]
  // A span over midnight would name both days.
  const span =
    hour < 23 ? format.formatRange(from, to) : `${format.format(from)} – ${format.format(to)}`
  return withPlainSpaces(span)
}

/** "Nov 23, 2026". */
export const localDay = localFormatter({ month: 'short', day: 'numeric', year: 'numeric' })
/** "Nov 23". */
export const localShortDay = localFormatter({ month: 'short', day: 'numeric' })
/** "November 2026". */
export const localMonth = localFormatter({ month: 'long', year: 'numeric' })
/** "Nov 2026". */
export const localShortMonth = localFormatter({ month: 'short', year: 'numeric' })

export type LengthUnit = { name: string; mm: number }
const MILLIMETER: LengthUnit = { name: 'mm', mm: 1 }
export const INCH: LengthUnit = { name: 'in', mm: 25.4 }

/** Where people measure in inches (CLDR's measurement systems): the United States, Liberia, Myanmar. */
const IN_INCHES = ['US', 'LR', 'MM']

/** The unit of lengths on paper, by the browser's locale. */
export const lengthUnit = (locale = Intl.DateTimeFormat().resolvedOptions().locale): LengthUnit =>
  IN_INCHES.includes(new Intl.Locale(locale).maximize().region ?? '') ? INCH : MILLIMETER

export const inUnit = (mm: number, unit: LengthUnit) => mm / unit.mm

/** A typed length in millimeters to a hundredth; NaN if it is none. */
export const mmOf = (typed: number | string, unit: LengthUnit) =>
  typed === '' ? Number.NaN : Number((Number(typed) * unit.mm).toFixed(2))

/** A length on paper: "50 mm", "1.97 in". */
export const lengthText = (mm: number, unit = lengthUnit()) =>
  `${formatNumber(inUnit(mm, unit), 2)} ${unit.name}`

/** A sentence whose lengths are in millimeters, in the reader's unit. */
export const inReadersUnit = (text: string, unit = lengthUnit()) =>
  unit === INCH
    ? text.replace(
        /(?:([\d.]{1,9}) to )?([\d.]{1,9}) mm/g,
        (_, from: string | undefined, mm: string) =>
          (from ? `${formatNumber(inUnit(Number(from), unit), 2)} to ` : '') +
          lengthText(Number(mm), unit),
      )
    : text

/** The day of a zone as the server and date fields take it: "2026-11-23". Without a zone, the visitor's. */
export const dayIn = (timeZone: string | undefined, instant: Instant) =>
  // Canada writes its days as ISO 8601 does.
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant))

/** The same with the time: "2026-11-23T18:05". */
export const momentIn = (timeZone: string, instant: Instant) =>
  // Sweden writes its times as ISO 8601 does, but for the T.
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(instant))
    .replace(' ', 'T')

/** The visitor's time zone; undefined if the browser does not know it. */
export function browserZone(): string | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  // Chromium says Etc/Unknown on a system without a zone. No server knows that zone.
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : undefined
}

/** The zone as analytics calls take it: it decides when days and months begin. */
export const zoneQuery = () => `?tz=${encodeURIComponent(browserZone() ?? 'UTC')}`
