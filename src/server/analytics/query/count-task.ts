import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Location } from '../../database/connect.ts'
import type { Offset } from '../../dates.ts'
import type { Period } from './periods.ts'
import type { Sums } from './quarter-sums.ts'

/** Which scans count: of persons or of all others, and only those that every filter takes. */
export type Wanted = { kind: 'people' | 'bots'; filters: Partial<Record<Facet, string>> }

/** All instants are quarter-hours. */
export type Question =
  /** Sums from each start up to the next one, in the range and in the period before */
  | { ask: 'points'; starts: number[]; before: number[] | undefined }
  | { ask: 'list'; facet: Facet }
  | { ask: 'week'; offsets: Offset[] }
  | { ask: 'classes' }

/** What the counting thread is asked: of which codes of an account, which of their scans, and what. */
export type CountTask = Wanted &
  Period & {
    location: Location
    userId: string
    codeIds: string[]
    /** Of UTC days before it, only rollups are left. */
    firstCompleteDay: number
    question: Question
  }

export type ValueCount = { value: string; scans: number }

/** Values have most scans first; `unknown` scans have none, `others` have values that are not named. */
export type Listed = { values: ValueCount[]; unknown: number; others: number; scans: number }

export type ClassCount = { class: string; rule: string; scans: number }

type Answers = {
  points: { sums: Sums[]; before: Sums[] | undefined; rules: number[] }
  list: Listed
  week: { rows: number[][] }
  classes: { rows: ClassCount[] }
}

export type CountAnswer<Ask extends Question['ask'] = Question['ask']> = Answers[Ask]
