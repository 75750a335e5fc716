import type { Visit } from '../../src/server/analytics/capture/visit.ts'
import type { AudienceName } from './audiences.ts'
import { instantOf, weekdayIndex } from './calendar.ts'
import type { Course } from './courses.ts'
import { Dice } from './dice.ts'
import { hourOf, type Rhythm } from './rhythms.ts'
import { machineVisit, visitOf } from './visitors.ts'

const MINUTE_MS = 60_000

/** Share of scans that the same person makes again soon after: the page was closed too early. */
const AGAIN = 0.09
/** Visits by programs for each scan by a person. */
const MACHINES = 0.04

/** How a code is scanned. */
export type Scanned = { course: Course; rhythm: Rhythm; by: AudienceName }

/** `from` and `to` are the instants, in epoch milliseconds, between which a code leads somewhere. */
export type Life = { seed: string; from: number; to: number }

export type PastVisit = { at: number; visit: Visit }

/** Who followed a code's link on a UTC day, in no order; the same each time it is asked. */
export function visitsOn(day: number, life: Life, scanned: Scanned): PastVisit[] {
  const dice = new Dice(`${life.seed} ${day}`)
  const expected = scanned.course(day) * (scanned.rhythm.week[weekdayIndex(day)] ?? 0)
  const persons = Array.from({ length: dice.count(expected * weather(day)) }, () =>
    personsVisits(day, scanned, dice),
  )
  const machines = Array.from({ length: dice.count(expected * MACHINES) }, () => ({
    at: instantOf(day, dice.between(0, 24)),
    visit: machineVisit(dice),
  }))
  return [...persons.flat(), ...machines].filter(({ at }) => at >= life.from && at < life.to)
}

function personsVisits(day: number, { rhythm, by }: Scanned, dice: Dice): PastVisit[] {
  const at = instantOf(day, hourOf(rhythm, dice))
  const visit = visitOf(by, dice)
  if (!dice.chance(AGAIN)) return [{ at, visit }]
  return [
    { at, visit },
    { at: at + Math.round(dice.between(1, 50) * MINUTE_MS), visit },
  ]
}

/** On a fine day more people come than on a wet one, to all codes alike. */
function weather(day: number): number {
  return Math.min(Math.max(new Dice(`weather ${day}`).normal(1, 0.13), 0.65), 1.4)
}
