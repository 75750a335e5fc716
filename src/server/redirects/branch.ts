import type { Rule, Variant } from '#contract/codes/code-rules.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { ScanReading } from '../codes/types.ts'
import { dateText, offsetsIn, quarterOf, shownAt, utcDay, weekdayOf } from '../dates.ts'
import { rankedLanguages } from './ranked-languages.ts'

/** A scan as rules see it: who scans, with which link, and when. */
export type RuledScan = ScanReading & {
  /** The Accept-Language header */
  languages: string | undefined
  /** The parameters of the link */
  query: string
  /** The number of this scan among those by persons, from 1; undefined if it has none. */
  ordinal: number | undefined
  /** In epoch milliseconds */
  at: number
}

/** This visitor's variant of the first rule that fits; undefined if none does. docs/rules.md explains the conditions. */
export function branchOf(rules: readonly Rule[], scan: RuledScan): Variant | undefined {
  const rule = rules.find((each) => fits(each, scan))
  return rule && variantFor(rule.variants, scan.visitor)
}

function fits(rule: Rule, { attributes, languages, query, ordinal, at }: RuledScan): boolean {
  return (
    isIn(rule.countries, attributes.country) &&
    isIn(rule.devices, attributes.device) &&
    isIn(rule.systems, attributes.os) &&
    (!rule.regions || isNamed(rule.regions, attributes.region)) &&
    (!rule.languages || speaks(rule.languages, languages)) &&
    (!rule.parameter || hasParameter(rule.parameter, query)) &&
    (!rule.scans || (ordinal !== undefined && isWithin(rule.scans, ordinal))) &&
    isInTime(rule, at)
  )
}

const isIn = (values: readonly string[] | undefined, value: string | null) =>
  values === undefined || (value !== null && values.includes(value))

/** Place databases differ in the capitals of a region. */
const isNamed = (names: readonly string[], name: string | null) =>
  name !== null && names.some((each) => each.toLowerCase() === name.toLowerCase())

/** Whether the visitor's first language is in one of these ranges (RFC 4647 §3.3.1, basic filtering): `*` is in none. */
function speaks(ranges: readonly string[], header: string | undefined): boolean {
  const [first] = rankedLanguages(header)
  return first !== undefined && ranges.some((range) => `${first}-`.startsWith(`${range}-`))
}

function hasParameter({ name, value }: NonNullable<Rule['parameter']>, query: string): boolean {
  const values = new URLSearchParams(query).getAll(name)
  return value === undefined ? values.length > 0 : values.includes(value)
}

const isWithin = <Value extends string | number>(
  { from, until }: { from?: Value | undefined; until?: Value | undefined },
  value: Value,
) => (from === undefined || value >= from) && (until === undefined || value <= until)

const MINUTES_A_DAY = 24 * 60
const MINUTES_A_QUARTER = 15

/** Whether the days and hours of a rule fit: a night belongs to the day on which it begins. */
function isInTime({ weekdays, hours, dates, timeZone = 'UTC' }: Rule, at: number): boolean {
  if (!weekdays && !hours && !dates) return true
  const minute = Math.floor(at / MINUTE_MS)
  const quarter = quarterOf(at)
  const ahead = shownAt(offsetsIn(timeZone, quarter, quarter), quarter) - quarter
  const shown = minute + ahead * MINUTES_A_QUARTER
  let day = utcDay(shown * MINUTE_MS)
  if (hours) {
    const time = shown - day * MINUTES_A_DAY
    const [from, until] = [minuteOf(hours.from), minuteOf(hours.until)]
    const isAfterMidnight = until <= from && time < until
    if (from < until ? time < from || time >= until : time < from && !isAfterMidnight) return false
    if (isAfterMidnight) day--
  }
  if (weekdays && !weekdays.includes((weekdayOf(day) + 1) as 1)) return false
  return !dates || isWithin(dates, dateText(day))
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/**
 * The variant of this visitor: the one with the best score (weighted rendezvous hashing, Schindelhauer and Schomaker
 * 2005). It depends on the visitor and the variant's id, so that a new address or order moves no visitor, and a new share
 * only as many as it must.
 */
function variantFor(
  variants: readonly Variant[],
  visitor: Uint32Array | null,
): Variant | undefined {
  if (variants.length === 1) return variants[0]
  let [chosen, best] = [variants[0], Number.NEGATIVE_INFINITY]
  for (const variant of variants) {
    const score = variant.share / -Math.log(fractionOf(variant.id, visitor))
    if (score > best) [chosen, best] = [variant, score]
  }
  return chosen
}

/** A number between 0 and 1 that looks random: FNV-1a over both, then the last steps of MurmurHash3. */
function fractionOf(id: string, visitor: Uint32Array | null): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  for (const word of visitor ?? []) hash = scrambled(hash ^ word)
  return (scrambled(hash) + 0.5) / 2 ** 32
}

function scrambled(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
