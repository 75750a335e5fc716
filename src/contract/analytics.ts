import { z } from './zod.ts'

/** The chart covers this many days, today included. */
export const BREAKDOWN_DAYS = 30
/** Accounts with more codes than this get only those with scans in the window. */
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

/** `tz` decides where days and months begin. */
export const analyticsQuery = z.object({ tz: timeZone.default('UTC') })

export const userAnalytics = z.object({
  totalQrCodes: z.number().int(),
  totalScans: z.number().int(),
  scansThisMonth: z.number().int(),
})
export type UserAnalytics = z.infer<typeof userAnalytics>

/** Lists are sorted by scans, most first. `country` is a name in English; `countryCode` is ISO 3166-1 alpha-2. */
export const codeAnalytics = z.object({
  totalScans: z.number().int(),
  scansThisMonth: z.number().int(),
  topCountries: z.array(
    z.object({ country: z.string(), countryCode: z.string().nullable(), scans: z.number().int() }),
  ),
  topDevices: z.array(z.object({ device: z.string(), scans: z.number().int() })),
})
export type CodeAnalytics = z.infer<typeof codeAnalytics>

/** One row a day, oldest first: `date` as YYYY-MM-DD, and one number for each code under the code's series name. */
export const breakdownRow = z.record(z.string(), z.union([z.string(), z.number()]))
export type BreakdownRow = { date: string; [series: string]: string | number }
