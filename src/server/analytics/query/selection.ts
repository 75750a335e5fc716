import type { Facet } from '#contract/analytics/figure-values.ts'

/** Quarter-hours since 1970-01-01T00:00Z, from `from` up to but not including `to` */
export type Period = { from: number; to: number }

/** The scans to count: of persons or of all others, and only those that every filter takes. */
export type Wanted = { kind: 'people' | 'bots'; filters: Partial<Record<Facet, string>> }

/** The scans that a query asks for, as it crosses to the thread that counts them. */
export type Selection = Wanted &
  Period & {
    userId: string
    codeIds: string[]
    /** Only rollups are left of the UTC days before it. */
    firstCompleteDay: number
  }
