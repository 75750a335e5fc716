import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { Dice } from './dice.ts'

/** Share of scans that programs make, which look at a link and are not counted. */
const PROGRAMS = 0.04
const PEOPLE = 3_000
/** Above 1, a few people make many of the scans. */
const LOYALTY = 1.8

/** Factors from Monday to Sunday, and the hours (UTC) around which people scan, with their weights. */
// biome-ignore format: a table, one rhythm a line
const rhythms = {
  meals: { week: [0.5, 0.75, 0.85, 0.95, 1.3, 1.55, 1.1], hours: [[12.8, 5], [19.2, 6]] },
  evenings: { week: [0.7, 0.75, 0.85, 1, 1.5, 1.35, 0.85], hours: [[18.9, 7], [12.4, 2]] },
  cafe: { week: [0.85, 0.85, 0.9, 0.95, 1.1, 1.35, 1], hours: [[9.2, 4], [14.8, 5]] },
  weekends: { week: [0.1, 0.1, 0.15, 0.2, 0.45, 2.9, 3.1], hours: [[10.9, 1]] },
} as const

/** `perDay` is the average on the first day and on the last. */
export type Scanned = { when: keyof typeof rhythms; perDay: readonly [first: number, last: number] }

// biome-ignore format: a table
const countries = [['GB', 70], ['IE', 13], ['DE', 5], ['US', 5], ['FR', 4], ['NL', 3]] as const

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const browsers = [
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE}`, 52],
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, 38],
  [`Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${APPLE}`, 5],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 5],
] as const

/** A request as a browser would send it. */
export type Visit = { method: string; address: string; headers: Record<string, string> }

/** Each made-up address begins with its country. */
export const demoPlaces = {
  placeOf: ({ address }: { address: string }) => ({
    country: address.slice(0, 2),
    region: null,
    city: null,
  }),
  placeKey: () => '',
}

export type PastVisit = { at: number; visit: Visit }

/** `from` and `to` are epoch milliseconds. */
type Life = { name: string; from: number; to: number; scanned: Scanned }

/** Returns the visits of a code between two instants; the same for each call. */
export function visitsOf({ name, from, to, scanned }: Life): PastVisit[] {
  const { week, hours } = rhythms[scanned.when]
  const [first, last] = scanned.perDay
  const firstDay = Math.floor(from / DAY_MS)
  const count = Math.ceil(to / DAY_MS) - firstDay
  return Array.from({ length: count }, (_, index) => {
    const day = firstDay + index
    const dice = new Dice(`${name} ${day}`)
    // A fine day brings more people than a wet one, to all codes alike.
    const weather = new Dice(`weather ${day}`).between(0.75, 1.25)
    const expected =
      (first + ((last - first) * index) / count) * weather * (week[weekdayOf(day)] ?? 0)
    return Array.from({ length: Math.floor(expected + dice.next()) }, () => {
      const hour = dice.pick(hours) + dice.between(-1.5, 1.5) + dice.between(-1.5, 1.5)
      return { at: Math.round(day * DAY_MS + hour * HOUR_MS), visit: visitBy(dice) }
    })
  })
    .flat()
    .filter(({ at }) => at >= from && at < to)
}

/** From 0 for Monday. UTC days count from 1970-01-01, a Thursday. */
const weekdayOf = (day: number) => (day + 3) % 7

/** The same person always comes with the same phone from the same country. */
function visitBy(dice: Dice): Visit {
  if (dice.chance(PROGRAMS)) {
    return { method: 'GET', address: 'US', headers: { 'user-agent': 'WhatsApp/2.24.6.77 A' } }
  }
  const number = Math.floor(PEOPLE * dice.next() ** LOYALTY)
  const person = new Dice(`person ${number}`)
  const address = `${person.pick(countries)} ${number}`
  const headers = { 'user-agent': person.pick(browsers), 'accept-language': 'en' }
  return { method: 'GET', address, headers }
}
