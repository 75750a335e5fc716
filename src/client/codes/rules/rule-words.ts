import { type DeviceName, deviceNames } from '#contract/analytics/figure-values.ts'
import type { RuleInput } from '#contract/code-rules.ts'
import { countries } from '#contract/countries.ts'
import { systems, weekdays } from '#contract/rule-values.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { formatDay } from '../../formats.ts'
import { hostOf } from '../links.ts'

/** A rule while it is edited */
export type EditedRule = RuleInput

const regions = new Intl.DisplayNames(['en'], { type: 'region' })
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** Languages that many phones are set to */
const LANGUAGES =
  `ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl
  pl pt pt-br ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-hans zh-hant`.split(/\s+/)

const deviceWords: Record<DeviceName, string> = {
  Mobile: 'phone',
  Tablet: 'tablet',
  Desktop: 'computer',
  TV: 'TV',
  Other: 'other device',
}
/** Sunday 2023-01-01 is day 0. */
const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const dayName = (day: number) => dayFormat.format(Date.UTC(2023, 0, 1 + day))

type Option = { value: string; label: string }
const optionsOf = (values: Iterable<string>, label: (value: string) => string): Option[] =>
  [...values]
    .map((value) => ({ value, label: label(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The values of the conditions that are chosen from a list. */
export const choices = {
  countries: () => optionsOf(countries, (code) => regions.of(code) ?? code),
  languages: () => optionsOf(LANGUAGES, (tag) => languageNames.of(tag) ?? tag),
  devices: () => deviceNames.map((value) => ({ value, label: capital(deviceWords[value]) })),
  systems: () => systems.map((value) => ({ value, label: value as string })),
  weekdays: () => weekdays.map((day) => ({ value: String(day), label: dayName(day) })),
}

const or = new Intl.ListFormat('en', { type: 'disjunction' })
const and = new Intl.ListFormat('en')
/** The conditions of a rule, each as a part of a sentence about the visitor. */
function clauses(rule: EditedRule): string[] {
  const { parameter, scans } = rule
  const count = (scans?.from ?? 1) === 1 ? scans?.until : undefined
  const times = timesOf(rule)
  return [
    rule.countries && `is in ${or.format(rule.countries.map((code) => regions.of(code) ?? code))}`,
    rule.regions && `is in ${or.format(rule.regions)}`,
    rule.devices && `has a ${or.format(rule.devices.map((name) => deviceWords[name]))}`,
    rule.systems && `uses ${or.format(rule.systems)}`,
    rule.languages &&
      `reads ${or.format(rule.languages.map((tag) => languageNames.of(tag) ?? tag))}`,
    times && `scans ${times}`,
    parameter &&
      `has ?${parameter.name}${parameter.value ? `=${parameter.value}` : ''} in the link`,
    scans &&
      (count !== undefined
        ? `is one of the first ${count.toLocaleString()}`
        : `makes scan ${[scans.from, scans.until].map((each) => each?.toLocaleString() ?? 'later').join(' to ')}`),
  ].filter((clause) => typeof clause === 'string')
}

/** "on Friday or Saturday between 22:00 and 06:00 (Europe/Berlin time)" */
function timesOf({ weekdays: days, hours, dates, timeZone }: EditedRule): string | undefined {
  const { from, until } = dates ?? {}
  const parts = [
    days && `on ${or.format(days.map(dayName))}`,
    hours && `between ${hours.from} and ${hours.until}`,
    from && `from ${formatDay(`${from}T12:00`)}`,
    until && `until ${formatDay(`${until}T12:00`)}`,
  ].filter(Boolean)
  if (parts.length === 0) return undefined
  return `${parts.join(' ')} (${timeZone?.replaceAll('_', ' ') ?? 'UTC'} time)`
}

const shown = (url: string) =>
  hostOf(shownAddress(url)).replace(/\/$/, '') || 'a destination you choose below'

/** A rule as a sentence to read aloud. */
export function sentenceOf(rule: EditedRule): string {
  const all = clauses(rule)
  const lead = all.length === 0 ? 'Every visitor' : `A visitor who ${and.format(all)}`
  const [first] = rule.variants
  if (rule.variants.length === 1) return `${lead} goes to ${shown(first?.url ?? '')}.`
  const parts = rule.variants.map(({ url, share = 0 }) => `${share}% to ${shown(url)}`)
  return `${lead} goes to one of several pages: ${and.format(parts)}.`
}

/** Reasons why a rule may never decide a scan. */
export function warningsOf(
  rules: readonly EditedRule[],
  index: number,
  { hasRegions, today }: { hasRegions: boolean; today: string },
): string[] {
  const rule = rules[index] as EditedRule
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
