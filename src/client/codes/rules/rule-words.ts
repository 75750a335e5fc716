import { deviceNames } from '#contract/analytics/figure-values.ts'
import type { RuleInput } from '#contract/codes/code-rules.ts'
import { systems, weekdays } from '#contract/codes/rule-values.ts'
import { countries } from '#contract/countries.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { formatCount, formatDay, languageName, regionName } from '../../formats.ts'
import { hostOf } from '../links.ts'

const byName = (nameOf: (code: string) => string) => (one: string, other: string) =>
  nameOf(one).localeCompare(nameOf(other))
const COUNTRIES = [...countries].sort(byName(regionName))
/** Languages that many phones are set to */
const LANGUAGES =
  `ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl
  pl pt pt-br ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-hans zh-hant`
    .split(/\s+/)
    .sort(byName(languageName))

const deviceWords = {
  Mobile: 'a phone',
  Tablet: 'a tablet',
  Desktop: 'a computer',
  TV: 'a TV',
  Other: 'another device',
}
/** Sunday 2023-01-01 is day 0. */
const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const dayName = (day: number) => dayFormat.format(Date.UTC(2023, 0, 1 + day))

const or = new Intl.ListFormat('en', { type: 'disjunction' })
const and = new Intl.ListFormat('en')

export type Kind = Exclude<keyof RuleInput, 'variants' | 'timeZone'>
type Of<Name extends Kind> = NonNullable<RuleInput[Name]>

/** A condition with several values, chosen among `options` if it has them, or else typed */
const several = <Value>(
  label: string,
  field: string,
  verb: string,
  nameOf: (value: Value) => string,
  options?: readonly Value[],
) => ({
  label,
  field,
  // "Phone" for "a phone"
  options: options?.map((value) => ({
    value,
    label: nameOf(value).replace(/^an? ?(.)/, (_, first) => first.toUpperCase()),
  })),
  start: [],
  clause: (values: readonly Value[]) => `${verb} ${or.format(values.map(nameOf)) || '…'}`,
})

/** The kinds of conditions: name, fields, the value of a new one, and its clause about the visitor, whose fields may be empty. */
export const kinds = {
  countries: several('Country', 'Countries', 'is in', regionName, COUNTRIES),
  regions: several('Region', 'Regions', 'is in', String),
  devices: several('Device', 'Devices', 'has', (name) => deviceWords[name], deviceNames),
  systems: several('System', 'Systems', 'uses', String, systems),
  languages: several('Language', 'Languages', 'reads', languageName, LANGUAGES),
  weekdays: several('Days of the week', 'Days of the week', 'on', dayName, weekdays),
  hours: {
    label: 'Hours',
    fields: { from: 'From', until: 'Until' },
    type: 'time',
    start: { from: '22:00', until: '06:00' },
    clause: ({ from, until }: Of<'hours'>) => `between ${from || '…'} and ${until || '…'}`,
  },
  dates: {
    label: 'Dates',
    fields: { from: 'First day', until: 'Last day' },
    type: 'date',
    start: {},
    clause: daysText,
  },
  parameter: {
    label: 'Parameter of the link',
    fields: { name: 'Parameter', value: 'Value, or any' },
    type: 'text',
    start: { name: '' },
    clause: ({ name, value }: Of<'parameter'>) =>
      `has ?${name || '…'}${value ? `=${value}` : ''} in the link`,
  },
  scans: {
    label: 'Number of scans',
    fields: { from: 'From scan', until: 'To scan' },
    type: 'number',
    start: { from: 1, until: 100 },
    clause: countText,
  },
} satisfies Record<Kind, unknown>

/** The kinds that need a time zone */
export const timed: Kind[] = ['weekdays', 'hours', 'dates']

/** The conditions of a rule, each as a part of a sentence about the visitor. */
function clauses(rule: RuleInput): string[] {
  const clausesOf = (names: Kind[]) =>
    names.filter((name) => rule[name]).map((name) => kinds[name].clause(rule[name] as never))
  const times = clausesOf(timed).join(' ')
  const zone = rule.timeZone?.replaceAll('_', ' ') ?? 'UTC'
  return [
    ...clausesOf(['countries', 'regions', 'devices', 'systems', 'languages']),
    ...(times ? [`scans ${times} (${zone} time)`] : []),
    ...clausesOf(['parameter', 'scans']),
  ]
}

/** "from Nov 1, 2026 until Nov 30, 2026" */
function daysText({ from, until }: Of<'dates'>): string {
  const dayOf = (day: string) => formatDay(`${day}T12:00`)
  const parts = [from && `from ${dayOf(from)}`, until && `until ${dayOf(until)}`]
  return parts.filter(Boolean).join(' ') || 'from …'
}

/** "is one of the first 100", "makes scan 101 or a later one"; emptied fields are '' */
function countText({ from, until }: Of<'scans'>): string {
  if (!until) return `makes scan ${from ? `${formatCount(from)} or a later one` : '…'}`
  if (!from || from === 1) return `is one of the first ${formatCount(until)}`
  return `makes scan ${formatCount(from)} to ${formatCount(until)}`
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
