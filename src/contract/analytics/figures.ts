import { CURSOR_PAGE, EXTERNAL_ID_MAX } from '../code-values.ts'
import { partOf } from '../codes.ts'
import { z } from '../zod.ts'
import { timeZone } from './analytics.ts'
import {
  deviceNames,
  type Facet,
  facets,
  ranges,
  scanClasses,
  steps,
  UNKNOWN,
  type UtmParameter,
  utmParameters,
  WEEK_DAYS,
} from './figure-values.ts'

const value = z.string().min(1).max(200)
const day = z.iso.date()
const text = z.string().nullable()
/** Single scans in one answer */
const SCAN_PAGE_MAX = 1_000

const devices = [UNKNOWN, ...deviceNames]

/** Filters whose values are known. As all filters they take capitals or none. */
const facetValues: Partial<Record<Facet, typeof value>> = {
  country: value.regex(/^([a-z]{2}|-)$/i, 'Use a country’s two letters, such as DE, or -'),
  language: value.regex(/^([a-z]{2,3}|-)$/i, 'Use a language’s two letters, such as de, or -'),
  device: value.refine(
    (text) => devices.some((name) => name.toLowerCase() === text.toLowerCase()),
    `Use one of ${devices.join(', ')}`,
  ),
}

const ofEachUtm = <Each>(each: Each) =>
  Object.fromEntries(utmParameters.map((name) => [name, each])) as Record<UtmParameter, Each>

/** Codes that one query names by their ids */
const CODES_ASKED_MAX = 100
const ID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * Which scans are asked about: of some codes (`qr`, ids with commas between them; those with a tag; the one
 * with an id of its owner's) or of all listed codes; in a range of days of a time
 * zone; of persons, or of all others; and only those that every filter takes. `from` and `to` are the
 * first and the last day of a free range, which is the default with one of them; else it is 30 days. Weeks begin on the weekday `weekStart`: 1 is Monday, 7 Sunday.
 */
export const figuresQuery = z
  .object({
    qr: z
      .string()
      .regex(
        new RegExp(`^${ID}(,${ID}){0,${CODES_ASKED_MAX - 1}}$`, 'i'),
        `Use ids of QR codes, up to ${CODES_ASKED_MAX} with commas between them`,
      ),
    tag: z.string().min(1).max(200),
    externalId: z.string().min(1).max(EXTERNAL_ID_MAX),
    range: z.enum(ranges),
    from: day,
    to: day,
    tz: timeZone.default('UTC'),
    weekStart: z.coerce.number().int().min(1).max(WEEK_DAYS).default(1),
    by: z.enum(steps),
    kind: z.enum(['people', 'bots']).default('people'),
    ...(Object.fromEntries(facets.map((facet) => [facet, facetValues[facet] ?? value])) as Record<
      Facet,
      typeof value
    >),
    ...ofEachUtm(value),
  })
  .partial({
    ...({ qr: true, tag: true, externalId: true } as const),
    ...({ range: true, from: true, to: true, by: true } as const),
    ...(Object.fromEntries(facets.map((facet) => [facet, true])) as Record<Facet, true>),
    ...ofEachUtm(true as const),
  })
export type FiguresQuery = z.infer<typeof figuresQuery>

/** Scans, and the visitors among them: a visitor counts once a code and UTC day. Bots have no visitors. */
const sums = z.object({ scans: z.number().int(), visitors: z.number().int().nullable() })

/**
 * `range` says what was counted: instants, from `from` up to but not including `to`. `snapped` is true if
 * it goes by UTC days, because the single scans of its beginning are kept no longer. `before` is the
 * period before it of as many days, and of 12 months the year before; it ends at the same time of the
 * day as now, so that a day that is not over is not compared with a whole one. It is null if nothing
 * is kept of it. A point's `at` is the local
 * beginning of its step: YYYY-MM-DD, or YYYY-MM-DDTHH:mm for an hour (an hour that comes twice in the
 * night in which clocks go back is one point). `rules` are the versions of the rules that told persons
 * from bots.
 */
export const figures = z.object({
  range: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    by: z.enum(steps),
    snapped: z.boolean(),
  }),
  ...sums.shape,
  before: sums.nullable(),
  points: z.array(z.object({ at: z.string(), ...sums.shape, before: z.number().int().nullable() })),
  rules: z.array(z.number().int()),
})
export type Figures = z.infer<typeof figures>

export const breakdownQuery = figuresQuery.extend({ facet: z.enum(facets) })

/**
 * The values of a facet, most scans first. `value` is what a filter asks for, `label` what people read.
 * `unknown` scans have no value (of apps: they came from a browser that is not an app), `others` have
 * values that are not in the list: all add up to `scans`.
 */
export const breakdown = z.object({
  rows: z.array(z.object({ value: z.string(), label: z.string(), scans: z.number().int() })),
  unknown: z.number().int(),
  others: z.number().int(),
  scans: z.number().int(),
})
export type Breakdown = z.infer<typeof breakdown>

export const rankingQuery = figuresQuery

/**
 * The codes with the most scans of a range, and the tags by the scans of their codes together: a code
 * with two tags counts in both. `others` are the scans of codes that are not in the list.
 */
export const ranking = z.object({
  codes: z.array(z.object({ id: z.string(), name: z.string(), scans: z.number().int() })),
  tags: z.array(
    z.object({ name: z.string(), scannedCodes: z.number().int(), scans: z.number().int() }),
  ),
  /** The same by the UTM parameters that the destinations had when they were scanned, such as utm_campaign */
  utm: z.array(
    z.object({
      parameter: z.enum(utmParameters),
      name: z.string(),
      scannedCodes: z.number().int(),
      scans: z.number().int(),
    }),
  ),
  others: z.number().int(),
  scans: z.number().int(),
})
export type Ranking = z.infer<typeof ranking>

/** Scans by local weekday and hour: seven rows, Monday first, of 24 numbers each. */
export const heatmap = z.object({
  rows: z.array(z.array(z.number().int()).length(24)).length(7),
  scans: z.number().int(),
})
export type Heatmap = z.infer<typeof heatmap>

/** Why the persons, or all others, were counted as such: the class, and the rule that decided it in words. */
export const classes = z.object({
  rows: z.array(
    z.object({
      class: z.enum(scanClasses),
      reason: z.string(),
      scans: z.number().int(),
    }),
  ),
})
export type Classes = z.infer<typeof classes>

/**
 * The file of the scans that are asked for (GET /api/analytics/scans.csv): its name, from which instant
 * it has them, and how many: null if they are too many to be counted by this filter. `isCut` says
 * that it begins later than was asked for, because single scans of before are kept no longer.
 */
export const scansFile = z.object({
  name: z.string(),
  from: z.iso.datetime(),
  isCut: z.boolean(),
  scans: z.number().int().nullable(),
})
export type ScansFile = z.infer<typeof scansFile>

/** Query of GET /api/analytics/scans.json: single scans, oldest first. The cursor is a second, and how many of its scans were before. */
export const scanListQuery = figuresQuery.extend({
  limit: z.coerce.number().int().min(1).max(SCAN_PAGE_MAX).default(CURSOR_PAGE.default),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.\d{1,9}$/, 'This cursor isn’t from this list. Start again without one.')
    .optional(),
})

/** A single scan, in the values that filters ask for. `isFirst` is null for what no person did. */
export const scan = z.strictObject({
  at: z.iso.datetime(),
  qr: z.string(),
  class: z.enum(scanClasses),
  reason: z.string(),
  isFirst: z.boolean().nullable(),
  ...(Object.fromEntries(facets.map((facet) => [facet, text])) as Record<Facet, typeof text>),
  ...ofEachUtm(text),
})
export type Scan = z.infer<typeof scan>
export const scanList = partOf(scan)

/** Minutes that 'now' looks back, and its last scans. */
export const NOW_MINUTES = 30
export const NOW_SCANS_MAX = 20

/** The last minutes are their own range. */
export const nowQuery = figuresQuery.omit({
  range: true,
  from: true,
  to: true,
  by: true,
  tz: true,
  weekStart: true,
  ...ofEachUtm(true as const),
})
export type NowQuery = z.infer<typeof nowQuery>

/**
 * The scans of the last 30 minutes, oldest minute first, and the last scans, newest first. A minute is
 * null if the server has had too many scans since then to look at all of them.
 */
export const now = z.object({
  at: z.iso.datetime(),
  minutes: z.array(z.number().int().nullable()).length(NOW_MINUTES),
  scans: z.array(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      code: z.object({ id: z.string(), name: z.string() }),
      place: z.object({ city: z.string().nullable(), country: z.string().nullable() }),
      device: z.string().nullable(),
      os: z.string().nullable(),
    }),
  ),
})
export type Now = z.infer<typeof now>

/**
 * The stream's events (text/event-stream). `changed` names codes of the reader that were scanned; null
 * stands for all of them. `beat` comes at the beginning and every 15 seconds; `end` when the session
 * has ended.
 */
export type ChangedEvent = { codes: string[] | null }

/** How often an account is mailed the figures of its codes. */
export const figureMailTimes = ['off', 'weekly', 'monthly'] as const
export type FigureMailTime = (typeof figureMailTimes)[number]

/**
 * `timeZone` says when it is seven in the morning; null if they are off. `nextAt` is when the next
 * mail comes; null if none does: they are off, or the plan of the account does not have them.
 */
export const figureMails = z.object({
  every: z.enum(figureMailTimes),
  timeZone: z.string().nullable(),
  nextAt: z.iso.datetime().nullable(),
})
export type FigureMails = z.infer<typeof figureMails>

/** Body of PUT /api/analytics/mails. */
export const figureMailsChange = z.strictObject({ every: z.enum(figureMailTimes), timeZone })
export type FigureMailsChange = z.infer<typeof figureMailsChange>
