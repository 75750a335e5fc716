import { z } from './zod.ts'

/** Days in the chart, today included. */
export const BREAKDOWN_DAYS = 30
/** An account with more codes than this sees only those with scans in these days. */
export const BREAKDOWN_SERIES_MAX = 200
/** Countries and devices listed for one code. */
export const TOP_MAX = 10

/** An IANA time zone, such as Europe/Berlin. */
export const timeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone })
      return true
    } catch {
      return false
    }
  }, 'Must be an IANA time zone such as Europe/Berlin')

/** `tz` decides when days and months begin. */
export const analyticsQuery = z.object({ tz: timeZone.default('UTC') })

export const userAnalytics = z.object({
  totalQrCodes: z.number().int(),
  totalScans: z.number().int(),
  scansThisMonth: z.number().int(),
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

/** One day: `date` as YYYY-MM-DD, and for each code its scans under the name of its series. */
export type BreakdownRow = { date: string; [series: string]: string | number }

/**
 * The days, oldest first. `z.record` would leave out a code that is named `__proto__`, and takes
 * four times as long as JSON.stringify for 200 codes.
 */
export const dailyBreakdown = z.array(
  z.custom<BreakdownRow>((row) => typeof (row as BreakdownRow | null)?.date === 'string'),
)
