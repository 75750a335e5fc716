import { type DeviceName, deviceNames } from '#contract/analytics/figure-values.ts'
import type { RuleInput } from '#contract/code-rules.ts'
import { countries } from '#contract/countries.ts'
import { systems, weekdays } from '#contract/rule-values.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { capitalized, formatCount, formatDay, languageName, regionName } from '../../formats.ts'
import { hostOf } from '../links.ts'

/** Languages that many phones are set to */
const LANGUAGES =
  `ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl
  pl pt pt-br ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-hans zh-hant`.split(/\s+/)

const deviceWords: Record<DeviceName, string> = {
  Mobile: 'a phone',
  Tablet: 'a tablet',
  Desktop: 'a computer',
  TV: 'a TV',
  Other: 'another device',
}
/** Sunday 2023-01-01 is day 0. */
const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const dayName = (day: number) => dayFormat.format(Date.UTC(2023, 0, 1 + day))

type Option = { value: string; label: string }
const optionsOf = (values: Iterable<string>, label: (value: string) => string): Option[] =>
  [...values]
    .map((value) => ({ value, label: label(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))

/** The values of the conditions that are chosen from a list. */
export const choices = {
  countries: () => optionsOf(countries, regionName),
  languages: () => optionsOf(LANGUAGES, languageName),
  devices: () =>
    deviceNames.map((value) => ({
      value,
      label: capitalized(deviceWords[value].replace(/^an? ?/, '')),
    })),
  systems: () => systems.map((value) => ({ value, label: value as string })),
  weekdays: () => weekdays.map((day) => ({ value: String(day), label: dayName(day) })),
}

const or = new Intl.ListFormat('en', { type: 'disjunction' })
const and = new Intl.ListFormat('en')
/** Several values; none are chosen yet while a rule is edited. */
const anyOf = (values: readonly string[]) => or.format(values) || '…'

/** The conditions of a rule, each as a part of a sentence about the visitor. */
function clauses(rule: RuleInput): string[] {
  const { parameter } = rule
  const times = timesOf(rule)
  return [
    rule.countries && `is in ${anyOf(rule.countries.map(regionName))}`,
    rule.regions && `is in ${anyOf(rule.regions)}`,
    rule.devices && `has ${anyOf(rule.devices.map((name) => deviceWords[name]))}`,
    rule.systems && `uses ${anyOf(rule.systems)}`,
    rule.languages && `reads ${anyOf(rule.languages.map(languageName))}`,
    times && `scans ${times}`,
    parameter &&
      `has ?${parameter.name || '…'}${parameter.value ? `=${parameter.value}` : ''} in the link`,
    rule.scans && countOf(rule.scans),
  ].filter((clause) => typeof clause === 'string')
}

/** "is one of the first 100", "makes scan 101 or a later one"; emptied fields are '' */
function countOf({ from, until }: NonNullable<RuleInput['scans']>): string {
  if (!until) return `makes scan ${from ? `${formatCount(from)} or a later one` : '…'}`
  if (!from || from === 1) return `is one of the first ${formatCount(until)}`
  return `makes scan ${formatCount(from)} to ${formatCount(until)}`
}

/** "on Friday or Saturday between 22:00 and 06:00 (Europe/Berlin time)" */
function timesOf({ weekdays: days, hours, dates, timeZone }: RuleInput): string | undefined {
  const { from, until } = dates ?? {}
  const parts = [
    days && `on ${anyOf(days.map(dayName))}`,
    hours && `between ${hours.from || '…'} and ${hours.until || '…'}`,
    from && `from ${formatDay(`${from}T12:00`)}`,
    until && `until ${formatDay(`${until}T12:00`)}`,
    dates && !from && !until && 'from …',
  ].filter(Boolean)
  if (parts.length === 0) return undefined
  return `${parts.join(' ')} (${timeZone?.replaceAll('_', ' ') ?? 'UTC'} time)`
}

const shown = (url: string) =>
  hostOf(shownAddress(url)).replace(/\/$/, '') || 'a destination you choose below'

/** A rule as a sentence to read aloud. */
export function sentenceOf(rule: RuleInput): string {
  const all = clauses(rule)
  const lead = all.length === 0 ? 'Every visitor' : `A visitor who ${and.format(all)}`
  const [first] = rule.variants
  if (rule.variants.length === 1) return `${lead} goes to ${shown(first?.url ?? '')}.`
  const parts = rule.variants.map(({ url, share = 0 }) => `${share}% to ${shown(url)}`)
  return `${lead} goes to one of several pages: ${and.format(parts)}.`
}

/** Reasons why a rule may never decide a scan. */
export function warningsOf(
  rules: readonly RuleInput[],
  index: number,
  { hasRegions, today }: { hasRegions: boolean; today: string },
): string[] {
  const rule = rules[index] as RuleInput
  const forAll = rules.slice(0, index).findIndex((earlier) => clauses(earlier).length === 0)
  const isTabletOnly = rule.devices?.every((name) => name === 'Tablet')
  const isDeskOnly = rule.devices?.every((name) => name === 'Desktop' || name === 'TV')
  return [
    forAll >= 0 && `Rule ${forAll + 1} is for every visitor, so this one is never used.`,
    rule.regions &&
      !hasRegions &&
      'We don’t know the regions of visitors, so this rule never fits.',
    isTabletOnly &&
      rule.systems?.every((name) => name === 'iOS') &&
      'Most iPads say they’re Macs, so this rule finds few of them.',
    isDeskOnly &&
      rule.systems?.every((name) => name === 'iOS' || name === 'KaiOS') &&
      'These devices don’t run this system, so this rule never fits.',
    rule.dates?.until && rule.dates.until < today && 'These days are over.',
  ].filter((warning) => typeof warning === 'string')
}
