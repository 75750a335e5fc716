import { MINUTE_MS } from '../time.ts'
import { z } from '../zod.ts'
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

/** `tz` decides when days and months begin. */
export const analyticsQuery = z.object({ tz: timeZone.default('UTC') })

export const userAnalytics = z.object({
  totalQrCodes: z.number().int(),
  totalScans: z.number().int(),
  scansThisMonth: z.number().int(),
  /** All of the month before. */
  scansLastMonth: z.number().int().optional(),
})
export type UserAnalytics = z.infer<typeof userAnalytics>

/** The lists begin with the most scans. `country` is the English name, `countryCode` is ISO 3166-1 alpha-2. */
export const codeAnalytics = z.object({
  totalScans: z.number().int(),
  scansThisMonth: z.number().int(),
  topCountries: z.array(
    z.object({ country: z.string(), countryCode: z.string().nullable(), scans: z.number().int() }),
  ),
  topDevices: z.array(z.object({ device: z.string(), scans: z.number().int() })),
})
export type CodeAnalytics = z.infer<typeof codeAnalytics>

/**
 * The scans of each of an account's codes that has some. `lastScannedAt` is the beginning of the
 * quarter-hour of its last scan.
 */
export const scansByCode = z.array(
  z.object({
    id: z.string(),
    totalScans: z.number().int(),
    lastScannedAt: z.iso.datetime(),
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
export const latestScanQuery = z.object({ after: z.iso.datetime() })

/** The newest scan by a person; null if there is none. The country has its English name. */
export const latestScan = z.object({
  scan: z
    .object({
      at: z.iso.datetime(),
      place: z.object({ city: z.string().nullable(), country: z.string().nullable() }),
      device: z.string().nullable(),
      os: z.string().nullable(),
    })
    .nullable(),
})
export type LatestScan = z.infer<typeof latestScan>
