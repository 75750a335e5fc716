import { CURSOR_PAGE, EXTERNAL_ID_MAX } from '../codes/code-values.ts'
import { EXTERNAL_ID, PAGE_CURSOR, pageLimit, partOf, WITH_TAG } from '../codes/codes.ts'
import {
  countFrom1,
  flag,
  instant,
  list,
  oneOf,
  scannedAt,
  shownCode,
  text,
  textOrNull,
  time,
  whole,
  wholeOrNull,
  wordsOf,
  z,
} from '../zod.ts'
import { device, scanned, scans, timeZone } from './analytics.ts'
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

/** The words of each facet: as a filter, and of a scan */
const facetWords: Record<Facet, [asked: string, had: string]> = {
  country: [
    'Only scans from this country, such as DE.',
    'The country, such as DE; null if unknown.',
  ],
  region: ['Only scans from this region.', 'Null if unknown.'],
  city: ['Only scans from this city.', 'Null if unknown.'],
  device: ['Only scans with this kind of device.', wordsOf(device)],
  os: ['Only scans with this operating system.', wordsOf(scanned.os)],
  browser: ['Only scans with this browser.', 'The browser; null if unknown.'],
  app: ['Only scans in this app.', 'The app it was opened in; null for none.'],
  language: ['Only scans in this language.', 'The language of the device; null if unknown.'],
  referrer: ['Only scans from this site.', 'The site it came from; null for none.'],
  branch: [
    'Only scans that took this destination of a rule, by its id; - for the main destination.',
    'The rule’s destination that it took, by its id; null for the main one.',
  ],
}
const UTM = 'The UTM parameter of the destination when it was scanned.'

const ofEachFacet = <Each>(each: (facet: Facet) => Each) =>
  Object.fromEntries(facets.map((facet) => [facet, each(facet)])) as Record<Facet, Each>

const by = oneOf(steps, 'What each point of the line stands for.')

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
      )
      .describe(
        'The id of a code, or up to 100 with commas between them. Without it, all codes count.',
      ),
    tag: z.string().min(1).max(200).describe(WITH_TAG),
    externalId: z.string().min(1).max(EXTERNAL_ID_MAX).describe(EXTERNAL_ID),
    range: oneOf(
      ranges,
      'Which days: the last ones, a whole week or month of the calendar, or `free` with `from` and `to`.',
    ),
    from: day.describe('The first day of a custom range, such as 2026-03-01.'),
    to: day.describe('The last day of a custom range.'),
    tz: timeZone.default('UTC'),
    weekStart: countFrom1
      .max(WEEK_DAYS)
      .default(1)
      .describe('The weekday on which weeks begin, from 1 for Monday to 7 for Sunday.'),
    by,
    kind: oneOf(['people', 'bots'], 'Scans by people, or visits by bots.').default('people'),
    ...ofEachFacet((facet) => (facetValues[facet] ?? value).describe(facetWords[facet][0])),
    ...ofEachUtm(value.describe(UTM)),
  })
  .partial({
    ...({ qr: true, tag: true, externalId: true } as const),
    ...({ range: true, from: true, to: true, by: true } as const),
    ...ofEachFacet(() => true as const),
    ...ofEachUtm(true as const),
  })
export type FiguresQuery = z.infer<typeof figuresQuery>

/** Scans, and the visitors among them: a visitor counts once a code and UTC day. Bots have no visitors. */
const sums = z.object({
  scans,
  visitors: wholeOrNull('Different devices, counted once per code per day (UTC); bots have none.'),
})

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
  range: z
    .object({
      from: time('The first instant that counts.'),
      to: time('The instant at which it ends.'),
      by,
      snapped: flag('True if it uses UTC days, because individual scans are no longer kept.'),
    })
    .describe('The range that was counted.'),
  ...sums.shape,
  before: sums.nullable().describe('The previous period; null if nothing is kept of it.'),
  points: list(
    z.object({
      at: text('The local start of the step.'),
      ...sums.shape,
      before: wholeOrNull(
        'Scans in the same step of the previous period; null if nothing is kept of it.',
      ),
    }),
    'The line.',
  ),
  rules: list(z.number().int(), 'Versions of the rules that tell people from bots.'),
})
export type Figures = z.infer<typeof figures>

export const breakdownQuery = figuresQuery.extend({
  facet: oneOf(facets, 'What the scans are broken down by.'),
})

/**
 * The values of a facet, most scans first. `value` is what a filter asks for, `label` what people read.
 * `unknown` scans have no value (of apps: they came from a browser that is not an app; of branches: they went to the main destination), `others` have
 * values that are not in the list: all add up to `scans`.
 */
export const breakdown = z.object({
  rows: list(
    z.object({
      value: text('The value to filter by.'),
      label: text('The name to show.'),
      scans,
    }),
    'Most scans first.',
  ),
  unknown: whole(
    'Scans for which it’s unknown. By `branch`: those that led to the main destination.',
  ),
  others: whole('Scans of values not in the list.'),
  scans,
})
export type Breakdown = z.infer<typeof breakdown>

export const rankingQuery = figuresQuery

const scannedCodes = whole('How many of its codes have scans in the range.')

/**
 * The codes with the most scans of a range, and the tags by the scans of their codes together: a code
 * with two tags counts in both. `others` are the scans of codes that are not in the list.
 */
export const ranking = z.object({
  codes: list(z.object({ ...shownCode.shape, scans }), 'Most scans first.'),
  tags: list(
    z.object({ name: text('The name of the tag.'), scannedCodes, scans }),
    'Most scans first. A code with two tags counts in both.',
  ),
  utm: list(
    z.object({
      parameter: oneOf(utmParameters, 'Which UTM parameter.'),
      name: text('Its value.'),
      scannedCodes,
      scans,
    }),
    'By the UTM parameters that destinations had when they were scanned, most scans first.',
  ),
  others: whole('Scans of codes that are not in the list.'),
  scans,
})
export type Ranking = z.infer<typeof ranking>

/** Scans by local weekday and hour: seven rows, Monday first, of 24 numbers each. */
export const heatmap = z.object({
  rows: z
    .array(z.array(z.number().int()).length(24))
    .length(7)
    .describe('Monday first, 24 hours each.'),
  scans,
})
export type Heatmap = z.infer<typeof heatmap>

const scanClass = oneOf(scanClasses, 'What the visits are counted as.')

/** Why the persons, or all others, were counted as such: the class, and the rule that decided it in words. */
export const classes = z.object({
  rows: list(
    z.object({ class: scanClass, reason: text('Why they count as that.'), scans }),
    'Most scans first.',
  ),
})
export type Classes = z.infer<typeof classes>

/**
 * The file of the scans that are asked for (GET /api/analytics/scans.csv): its name, from which instant
 * it has them, and how many: null if they are too many to be counted by this filter. `isCut` says
 * that it begins later than was asked for, because single scans of before are kept no longer.
 */
export const scansFile = z.object({
  name: text('The name of the file.'),
  from: time('The first instant it has.'),
  isCut: flag('It starts later than you asked for, because individual scans are no longer kept.'),
  scans: wholeOrNull('How many.'),
})
export type ScansFile = z.infer<typeof scansFile>

/** Query of GET /api/analytics/scans.json: single scans, oldest first. The cursor is a second, and how many of its scans were before. */
export const scanListQuery = figuresQuery.extend({
  limit: pageLimit(SCAN_PAGE_MAX).default(CURSOR_PAGE.default),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.\d{1,9}$/, 'This cursor isn’t from this list. Start again without one.')
    .optional()
    .describe(PAGE_CURSOR),
})

/** A single scan, in the values that filters ask for. `isFirst` is null for what no person did. */
export const scan = z.strictObject({
  at: scannedAt,
  qr: text('The id of the code.'),
  class: scanClass,
  reason: text('Why it counts as that.'),
  isFirst: z
    .boolean()
    .nullable()
    .describe(
      'True for the first scan of this visitor that day (UTC); null for what no person did.',
    ),
  ...ofEachFacet((facet) => textOrNull(facetWords[facet][1])),
  ...ofEachUtm(textOrNull(UTM)),
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
  at: time('When this was counted.'),
  minutes: z
    .array(z.number().int().nullable())
    .length(NOW_MINUTES)
    .describe('Scans of the last 30 minutes, oldest first; null if there were too many to count.'),
  scans: list(
    z.object({
      id: text('The id of the scan.'),
      at: scannedAt,
      code: z.object(shownCode.shape).describe('The code that was scanned.'),
      ...scanned,
      branch: textOrNull(facetWords.branch[1]),
    }),
    'The last 20, newest first.',
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
  nextAt: instant.nullable(),
})
export type FigureMails = z.infer<typeof figureMails>

/** Body of PUT /api/analytics/mails. */
export const figureMailsChange = z.strictObject({ every: z.enum(figureMailTimes), timeZone })
export type FigureMailsChange = z.infer<typeof figureMailsChange>
