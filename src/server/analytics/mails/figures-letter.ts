import { todaysZone } from '#contract/zone-names.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import {
  counted,
  formatCount,
  formatDay,
  formatHour,
  formatMonth,
  formatPercent,
  formatShortWeekday,
  formatWeekday,
  type Reader,
} from '../../formats.ts'
import { type Letter, unlinked } from '../../mail/mail-template.ts'
import { openedIn } from '../../memberships.ts'
import { labelOf } from '../query/labels.ts'
import type { MailFigures, SilentCode } from './mail-figures.ts'
import type { Days, Every } from './mail-times.ts'

/** Characters of a code's name. */
const NAME_MAX = 60
/** Silent codes that are named. */
const SILENT_MAX = 20

const SILENT = 'Scanned steadily, then silent: is the print covered or gone?'

type Asked = Pick<Reader, 'locale'> & {
  every: Every
  days: Days
  zone: string
  silent?: SilentCode[]
  publicUrl: string
  unsubscribe: string
  /** The workspace of the figures, if it isn't the reader's own */
  opens?: WorkspaceId | undefined
}

/** The mail with the figures of a week or a month. */
export function figuresLetter(figures: MailFigures, asked: Asked): Letter {
  const { every, days, zone, publicUrl, unsubscribe, opens } = asked
  const { scans } = figures
  const reader = { locale: asked.locale }
  const told = scans === 0 ? 'no scans' : counted(scans, 'scan', reader)
  return {
    subject: `Your QR codes ${whenOf(asked)}: ${told}`,
    paragraphs: [sentenceOf(figures, asked)],
    ...(scans > 0 && { facts: factsOf(figures, reader) }),
    tables: [...silentTable(asked), ...tablesOf(figures, reader)],
    button: { label: 'Open analytics', url: addressOf(publicUrl, days, opens) },
    notes: [
      'A scan is counted each time a person opens the link. Bots and link previews don’t count. Visitors are different devices, counted once per code per day (UTC).',
      `You get this email ${every === 'weekly' ? 'every Monday' : 'on the first day of each month'}. Days and hours are in the time zone ${nameOf(zone)}.`,
    ],
    unsubscribe,
  }
}

function whenOf({ every, days, locale }: Asked): string {
  return every === 'weekly' ? 'last week' : `in ${formatMonth(dateOf(days.first), { locale })}`
}

function sentenceOf({ scans, before }: MailFigures, { days, every, locale }: Asked): string {
  const reader = { locale }
  const [first, last] = [days.first, days.last].map((day) => formatWeekday(dateOf(day), reader))
  const period = `From ${first} to ${last}`
  const earlier = every === 'weekly' ? 'the week before' : `the ${daysIn(days)} days before`
  if (scans === 0) {
    const was =
      before && before.scans > 0 ? ` In ${earlier} there ${were(before.scans, reader)}.` : ''
    return `${period}, your QR codes had no scans.${was}`
  }
  const sum = `${period}, your QR codes had ${counted(scans, 'scan', reader)}.`
  return before ? `${sum} ${comparisonOf([scans, before.scans], earlier, reader)}` : sum
}

const were = (scans: number, reader: Reader) =>
  `${scans === 1 ? 'was' : 'were'} ${counted(scans, 'scan', reader)}`

function comparisonOf([now, before]: [number, number], earlier: string, reader: Reader): string {
  if (before === 0) return `In ${earlier} there were none.`
  const change = changeOf(now, before, reader)
  if (!change) return `That is about as many as in ${earlier}.`
  return `That is ${change} ${change.endsWith('many') ? 'as' : 'than'} in ${earlier}.`
}

function factsOf(
  { visitors, before, bestDay, week }: MailFigures,
  reader: Reader,
): [string, string][] {
  const hour = week && bestHour(week)
  return [
    ['Visitors', withChange(visitors ?? 0, before?.visitors ?? undefined, reader)],
    ...rowIf(
      'Best day',
      bestDay &&
        `${formatShortWeekday(dateOf(bestDay.date), reader)} (${counted(bestDay.scans, 'scan', reader)})`,
    ),
    ...rowIf(
      'Best hour',
      hour && `${spanText(hour.hour, reader)} (${counted(hour.scans, 'scan', reader)})`,
    ),
  ]
}

const rowIf = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]]

function silentTable({ silent = [], locale, zone }: Asked) {
  const rows = silent.map(({ name, lastScan }): [string, string] => [
    shortened(name),
    `last scan on ${formatDay(lastScan, { locale, zone })}`,
  ])
  const others = rows.splice(SILENT_MAX).length
  if (others > 0) rows.push(['More codes, marked in your list', formatCount(others, { locale })])
  return rows.length > 0 ? [{ title: SILENT, rows }] : []
}

function tablesOf({ scans, codes, countries, devices }: MailFigures, reader: Reader) {
  const shares = (facet: 'country' | 'device', values: MailFigures['countries'] = []) =>
    values.map(({ value, scans: part }): [string, string] => [
      labelOf(facet, value),
      `${formatCount(part, reader)} (${shareText(part, scans, reader)})`,
    ])
  const rows = codes.map((code): [string, string] => [
    shortened(code.name),
    withChange(code.scans, code.before, reader),
  ])
  return [
    { title: codes.length > 1 ? 'Top codes' : 'Top code', rows },
    { title: 'Countries', rows: shares('country', countries) },
    { title: 'Devices', rows: shares('device', devices) },
  ].filter(({ rows }) => rows.length > 0)
}

/** "120 (12% more)". */
function withChange(now: number, before: number | undefined, reader: Reader): string {
  const text = formatCount(now, reader)
  if (before === undefined) return text
  const change = changeOf(now, before, reader)
  if (change) return `${text} (${change})`
  return before === 0 && now > 0 ? `${text} (none before)` : text
}

/** More than this is said as a multiple: percents would be long. */
const TIMES_FROM = 10

/** "12% more", "25 times as many"; undefined if there is nothing to compare, or no difference to speak of. */
function changeOf(now: number, before: number, reader: Reader): string | undefined {
  if (before === 0) return undefined
  if (now >= TIMES_FROM * before)
    return `${formatCount(Math.round(now / before), reader)} times as many`
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return undefined
  return `${formatPercent(Math.abs(percent) / 100, reader)} ${percent > 0 ? 'more' : 'fewer'}`
}

function bestHour(week: number[][]): { hour: number; scans: number } | undefined {
  const hours = Array.from({ length: 24 }, (_, hour) =>
    week.reduce((sum, row) => sum + (row[hour] ?? 0), 0),
  )
  const scans = Math.max(...hours)
  return scans > 0 ? { hour: hours.indexOf(scans), scans } : undefined
}

/** The drawer with the same days, for readers who are signed in and for those who sign in first. */
function addressOf(
  publicUrl: string,
  { first, last }: Days,
  opens: WorkspaceId | undefined,
): string {
  const path = openedIn(`/dashboard?stats&range=free&from=${first}&to=${last}`, opens)
  return `${publicUrl}/api/login?returnTo=${encodeURIComponent(path)}`
}

/* Days come as 2026-11-23 and are read as UTC: no zone moves them. */

const dateOf = (day: string) => new Date(`${day}T00:00Z`)

const daysIn = ({ last }: Days) => dateOf(last).getUTCDate()

/** "6 – 7 PM", "11 AM – 12 PM". */
function spanText(hour: number, reader: Reader): string {
  const [from = '', to = ''] = [hour, hour + 1].map((each) =>
    formatHour(Date.UTC(2026, 0, 1, each % 24), reader),
  )
  const half = /\s[AP]M$/i.exec(from)?.[0]
  return `${half && to.endsWith(half) ? from.slice(0, -half.length) : from} – ${to}`
}

/** Never 0 or 100 for what is neither. */
function shareText(part: number, all: number, reader: Reader): string {
  const ratio = part / all
  if (ratio < 0.01) return `<${formatPercent(0.01, reader)}`
  const isNearAll = part < all && ratio > 0.99
  return isNearAll ? `>${formatPercent(0.99, reader)}` : formatPercent(ratio, reader)
}

const nameOf = (zone: string) => todaysZone(zone).replaceAll('_', ' ')

function shortened(name: string): string {
  const characters = [...name]
  const isLong = characters.length > NAME_MAX
  return unlinked(isLong ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name)
}
