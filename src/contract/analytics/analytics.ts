import { MINUTE_MS } from '../time.ts'
import {
  list,
  ownId,
  scannedAt,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wordsOf,
  z,
} from '../zod.ts'
import { todaysZone } from '../zone-names.ts'

/** Days in the chart, today included. */
export const BREAKDOWN_DAYS = 30
/** An account with more codes than this sees only those with scans in these days. */
export const BREAKDOWN_SERIES_MAX = 200
/** Countries and devices listed for one code. */
export const TOP_MAX = 10

/** Offsets such as +01:00, which Intl takes too: no browser has one as its zone, and there are 2,880. */
const OFFSET = /^[+-]/

/** Canonical names that Intl gave: to ask it again takes a tenth of a millisecond. */
const canonical = new Set<string>()

/** Today's name of a time zone, whatever alias or case it is asked by; undefined for anything else. */
function canonicalZone(name: string): string | undefined {
  if (canonical.has(name)) return name
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    if (OFFSET.test(timeZone)) return undefined
    const zone = todaysZone(timeZone)
    canonical.add(zone)
    return zone
  } catch {
    return undefined
  }
}

/**
 * An IANA time zone, such as Europe/Berlin. Browsers differ in the names that they send, so every alias
 * is taken. Its canonical name takes its place: there are some 450, and libraries keep each one they meet.
 */
export const timeZone = z
  .string()
  .max(64)
  .transform((name, context) => {
    const zone = canonicalZone(name)
    if (zone) return zone
    context.addIssue('Must be an IANA time zone such as Europe/Berlin')
    return z.NEVER
  })
  .describe('A time zone such as Europe/Berlin, in which days, weeks and months begin.')

/** `tz` decides when days and months begin. */
export const analyticsQuery = z.object({ tz: timeZone.default('UTC') })

const scansThisMonth = whole('So far this month.')
const totalScans = whole('Since the code was created.')
const silentSince = timeOrNull(
  'The last scan of a code that was scanned steadily and fell silent: maybe its print is covered or gone. Null for all others.',
)

export const scans = whole('How many.')
export const device = textOrNull('Mobile, Tablet, Desktop and so on; null if unknown.')
/** Where and by what a code was scanned */
export const scanned = {
  place: z
    .object({
      city: textOrNull('Null if unknown.'),
      country: textOrNull('Its English name; null if unknown.'),
    })
    .describe('Where it was.'),
  device,
  os: textOrNull('The operating system; null if unknown.'),
}

export const userAnalytics = z.object({
  totalQrCodes: whole('Codes in the list, without drafts and the trash.'),
  totalScans: whole('Of all codes, so far.'),
  scansThisMonth,
  scansLastMonth: z.number().int().optional().describe('All of last month.'),
})
export type UserAnalytics = z.infer<typeof userAnalytics>

export const codeAnalytics = z.object({
  totalScans,
  scansThisMonth,
  silentSince,
  topCountries: list(
    z.object({
      country: text('Its English name.'),
      countryCode: textOrNull('ISO 3166-1 alpha-2.'),
      scans,
    }),
    'Most scans first.',
  ),
  topDevices: list(z.object({ device: text(wordsOf(device)), scans }), 'Most scans first.'),
})
export type CodeAnalytics = z.infer<typeof codeAnalytics>

/**
 * The scans of each of an account's codes that has some. `lastScannedAt` is the beginning of the
 * quarter-hour of its last scan.
 */
export const scansByCode = z.array(
  z.object({
    id: ownId,
    totalScans,
    lastScannedAt: time('When it was last scanned, to a quarter of an hour.'),
    silentSince,
  }),
)
export type ScansByCode = z.infer<typeof scansByCode>

/** One day: `date` as YYYY-MM-DD, and for each code its scans under the name of its series. */
export type BreakdownRow = { date: string; [series: string]: string | number }

/**
 * The days, oldest first. `z.record` would leave out a code that is named `__proto__`, and takes
 * four times as long as JSON.stringify for 200 codes.
 */
export const dailyBreakdown = z.array(
  z
    .custom<BreakdownRow>((row) => typeof (row as BreakdownRow | null)?.date === 'string')
    .meta({
      type: 'object',
      description: 'A day, and the scans of each code on it, by the code’s name.',
      properties: { date: { type: 'string', format: 'date', description: 'The day.' } },
      required: ['date'],
      additionalProperties: { type: 'integer' },
    }),
)

/** The latest scan is looked for at most this far back. */
export const LATEST_SCAN_MS = 10 * MINUTE_MS

/** `after` is an instant of the server's: a scan's, or that at which the code was made. */
export const latestScanQuery = z.object({
  after: time('An instant such as 2026-03-05T09:50:00Z.'),
})

/** The newest scan by a person; null if there is none. The country has its English name. */
export const latestScan = z.object({
  scan: z
    .object({ at: scannedAt, ...scanned })
    .nullable()
    .describe('The last one; null if there was none.'),
})
export type LatestScan = z.infer<typeof latestScan>
