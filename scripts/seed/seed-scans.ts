import { hash } from 'node:crypto'
import { DAY_MS } from '#contract/time.ts'
import type { Scan, ScanAttributes } from '../../src/server/analytics/store/scan.ts'
import { Dice } from '../../src/server/demo/dice.ts'
import { seedVisitors } from './seed-visitors.ts'
import { Wheel } from './wheel.ts'

const QUARTER_MS = 15 * 60 * 1000
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS
/** Share of scans that programs make. */
const PROGRAMS = 0.04
/** Scans that one person makes on average. */
const SCANS_A_PERSON = 4
const PEOPLE_MIN = 200
/** Above 1, a few people make many of the scans. */
const LOYALTY = 1.8
const VISITOR_CHARACTERS = 16

/** From Monday to Sunday. */
const WEEK = [0.75, 0.8, 0.85, 0.95, 1.25, 1.4, 1]
/** Hours of the day (UTC) around which people scan, how far around, and how many. */
const PEAKS = [
  { hour: 12.5, width: 1.6, weight: 5 },
  { hour: 19, width: 2, weight: 6 },
  { hour: 15.5, width: 4, weight: 3 },
]

type Spread = { count: number; codeIds: string[]; from: number; to: number }

/**
 * Scans of these codes between two instants in epoch milliseconds, day by day in the order of their ids, the same
 * each time: fewer at night, more at weekends and from month to month, codes drawn by Zipf's law.
 */
export function* seedDays({ count, codeIds, from, to }: Spread): Generator<Scan[]> {
  const wheel = new Wheel(codeIds.map((_, rank) => 1 / (rank + 1)))
  const people = Math.max(PEOPLE_MIN, Math.round(count / SCANS_A_PERSON))
  const nonce = hash('sha256', `${count} ${codeIds.length} ${from}`).slice(0, 10)
  const dice = new Dice(`seed ${count}`)
  const weights = quarterWeights(from, to)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const first = Math.ceil(from / QUARTER_MS)
  let [passed, made] = [0, 0]
  let day = Math.floor(first / QUARTERS_A_DAY)
  let scans: Scan[] = []
  for (const [index, weight] of weights.entries()) {
    const start = (first + index) * QUARTER_MS
    if (Math.floor(start / DAY_MS) !== day) {
      yield scans
      day = Math.floor(start / DAY_MS)
      scans = []
    }
    passed += weight
    const due = Math.round((count * passed) / all) - made
    const instants = Float64Array.from(
      { length: due },
      () => start + dice.next() * QUARTER_MS,
    ).sort()
    for (const instant of instants) {
      const at = Math.floor(instant)
      const code_id = codeIds[wheel.at(dice.next())] as string
      const person = Math.floor(people * dice.next() ** LOYALTY)
      const visitorKind = dice.chance(PROGRAMS) ? program(person) : visitorOf(person)
      scans.push({
        ...visitorKind,
        id: at.toString(36).padStart(9, '0') + made.toString(36).padStart(5, '0').slice(-5) + nonce,
        code_id,
        at,
        visitor: visitorHash(person, day),
      })
      made++
    }
  }
  yield scans
}

function quarterWeights(from: number, to: number): number[] {
  const first = Math.ceil(from / QUARTER_MS)
  const length = Math.max(1, Math.floor(to / QUARTER_MS) - first)
  const ofDay = Array.from({ length: QUARTERS_A_DAY }, (_, quarter) => {
    const hour = quarter / 4
    return PEAKS.reduce(
      (sum, { hour: peak, width, weight }) =>
        sum + (weight / width) * Math.exp(-(((hour - peak) / width) ** 2)),
      0.05,
    )
  })
  return Array.from({ length }, (_, index) => {
    const quarter = first + index
    const weekday = (Math.floor(quarter / QUARTERS_A_DAY) + 3) % 7
    const growth = 0.6 + (0.8 * index) / length
    return (ofDay[quarter % QUARTERS_A_DAY] ?? 0) * (WEEK[weekday] ?? 1) * growth
  })
}

const visitors = seedVisitors()
const programs = visitors.filter((visitor) => visitor.class !== 'person')
const persons = visitors.filter((visitor) => visitor.class === 'person')

/** The same person always comes with the same phone from the same place. */
const visitorOf = (person: number) => persons[mixed(person) % persons.length] as ScanAttributes
const program = (number: number) => programs[mixed(number) % programs.length] as ScanAttributes

function mixed(number: number): number {
  let bits = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const bytes = Buffer.alloc(12)

/** Looks like a visitor's hash of that day. */
function visitorHash(person: number, day: number): string {
  bytes.writeUInt32LE(mixed(person), 0)
  bytes.writeUInt32LE(mixed(person ^ mixed(day)), 4)
  bytes.writeUInt32LE(mixed(person + day), 8)
  return bytes.toString('base64url').slice(0, VISITOR_CHARACTERS)
}
