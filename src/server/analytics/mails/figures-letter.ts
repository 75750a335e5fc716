import { type Letter, unlinked } from '../../mail/mail-template.ts'
import { labelOf } from '../query/labels.ts'
import type { MailFigures } from './mail-figures.ts'
import type { Days, Every } from './mail-times.ts'

/** Characters of a code's name. */
const NAME_MAX = 60

type Asked = {
  every: Every
  days: Days
  zone: string
  publicUrl: string
  unsubscribe: string
}

/** The mail with the figures of a week or a month. */
export function figuresLetter(figures: MailFigures, asked: Asked): Letter {
  const { every, days, zone, publicUrl, unsubscribe } = asked
  const { scans } = figures
  const told = scans === 0 ? 'no scans' : counted(scans, 'scan')
  return {
    subject: `Your QR codes ${whenOf(asked)}: ${told}`,
    paragraphs: [sentenceOf(figures, asked)],
    ...(scans > 0 && { facts: factsOf(figures), tables: tablesOf(figures) }),
    button: { label: 'Open analytics', url: addressOf(publicUrl, days) },
    notes: [
      'A scan is counted each time a person opens the link. Bots and link previews don’t count. Visitors are different devices, counted once per code per day (UTC).',
      `You get this email ${every === 'weekly' ? 'every Monday' : 'on the first day of each month'}. Days and hours are in the time zone ${nameOf(zone)}.`,
    ],
    unsubscribe,
  }
}

function whenOf({ every, days }: Asked): string {
  return every === 'weekly' ? 'last week' : `in ${asMonth.format(dateOf(days.first))}`
}

function sentenceOf({ scans, before }: MailFigures, { days, every }: Asked): string {
  const period = `From ${asDay.format(dateOf(days.first))} to ${asDay.format(dateOf(days.last))}`
  const earlier = every === 'weekly' ? 'the week before' : `the ${daysIn(days)} days before`
  if (scans === 0) {
    const was = before && before.scans > 0 ? ` In ${earlier} there ${were(before.scans)}.` : ''
    return `${period}, your QR codes had no scans.${was}`
  }
  const sum = `${period}, your QR codes had ${counted(scans, 'scan')}.`
  return before ? `${sum} ${comparisonOf(scans, before.scans, earlier)}` : sum
}

const were = (scans: number) => `${scans === 1 ? 'was' : 'were'} ${counted(scans, 'scan')}`

function comparisonOf(now: number, before: number, earlier: string): string {
  if (before === 0) return `In ${earlier} there were none.`
  const change = changeOf(now, before)
  if (!change) return `That is about as many as in ${earlier}.`
  return `That is ${change} ${change.endsWith('many') ? 'as' : 'than'} in ${earlier}.`
}

function factsOf({ visitors, before, bestDay, week }: MailFigures): [string, string][] {
  const hour = week && bestHour(week)
  return [
    ['Visitors', withChange(visitors ?? 0, before?.visitors ?? undefined)],
    ...rowIf(
      'Best day',
      bestDay && `${asShortDay.format(dateOf(bestDay.date))} (${counted(bestDay.scans, 'scan')})`,
    ),
    ...rowIf('Best hour', hour && `${spanText(hour.hour)} (${counted(hour.scans, 'scan')})`),
  ]
}

const rowIf = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]]

function tablesOf({ scans, codes, countries, devices }: MailFigures) {
  const shares = (facet: 'country' | 'device', values: MailFigures['countries'] = []) =>
    values.map(({ value, scans: part }): [string, string] => [
      labelOf(facet, value),
      `${formatCount(part)} (${shareText(part, scans)})`,
    ])
  const rows = codes.map((code): [string, string] => [
    shortened(code.name),
    withChange(code.scans, code.before),
  ])
  return [
    { title: codes.length > 1 ? 'Top codes' : 'Top code', rows },
    { title: 'Countries', rows: shares('country', countries) },
    { title: 'Devices', rows: shares('device', devices) },
  ].filter(({ rows }) => rows.length > 0)
}

/** "120 (12% more)". */
function withChange(now: number, before: number | undefined): string {
  const text = formatCount(now)
  if (before === undefined) return text
  const change = changeOf(now, before)
  if (change) return `${text} (${change})`
  return before === 0 && now > 0 ? `${text} (none before)` : text
}

/** More than this is said as a multiple: percents would be long. */
const TIMES_FROM = 10

/** "12% more", "25 times as many"; undefined if there is nothing to compare, or no difference to speak of. */
function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  if (now >= TIMES_FROM * before) return `${formatCount(Math.round(now / before))} times as many`
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return undefined
  return `${formatCount(Math.abs(percent))}% ${percent > 0 ? 'more' : 'fewer'}`
}

function bestHour(week: number[][]): { hour: number; scans: number } | undefined {
  const hours = Array.from({ length: 24 }, (_, hour) =>
    week.reduce((sum, row) => sum + (row[hour] ?? 0), 0),
  )
  const scans = Math.max(...hours)
  return scans > 0 ? { hour: hours.indexOf(scans), scans } : undefined
}

/** The drawer with the same days, for readers who are signed in and for those who sign in first. */
function addressOf(publicUrl: string, { first, last }: Days): string {
  const path = `/dashboard?stats&range=free&from=${first}&to=${last}`
  return `${publicUrl}/api/login?returnTo=${encodeURIComponent(path)}`
}

/* Days come as 2026-11-23 and are read as UTC: no zone moves them. */

const dateOf = (day: string) => new Date(`${day}T00:00Z`)
const inWords = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const asDay = inWords({ weekday: 'long', month: 'long', day: 'numeric' })
const asShortDay = inWords({ weekday: 'short', month: 'short', day: 'numeric' })
const asMonth = inWords({ month: 'long' })
const asHour = inWords({ hour: 'numeric' })

const daysIn = ({ last }: Days) => dateOf(last).getUTCDate()

/** "6 – 7 PM", "11 AM – 12 PM". */
function spanText(hour: number): string {
  const [from = '', to = ''] = [hour, hour + 1].map((each) =>
    asHour.format(new Date(Date.UTC(2026, 0, 1, each % 24))),
  )
  return `${from.slice(-2) === to.slice(-2) ? from.slice(0, -3) : from} – ${to}`
}

const formatCount = (count: number) => count.toLocaleString('en-US')

const counted = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** Never 0 or 100 for what is neither. */
function shareText(part: number, all: number): string {
  const percent = (100 * part) / all
  if (percent < 1) return '<1%'
  return part < all && percent > 99 ? '>99%' : `${Math.round(percent)}%`
}

const nameOf = (zone: string) => zone.replaceAll('_', ' ')

function shortened(name: string): string {
  const characters = [...name]
  const isLong = characters.length > NAME_MAX
  return unlinked(isLong ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name)
}
