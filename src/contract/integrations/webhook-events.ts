import { billingPeriods, tiers } from '../plans.ts'
import { tag } from '../tags.ts'
import { z } from '../zod.ts'

/*
 * The `data` of events, where it isn't a code.
 */

const instant = z.iso.datetime()
const codeId = z.string().describe('The id of the code.')
const version = z.int().min(1).describe('The code’s version now.')

/** Facts of a scan, as the ledger has them */
export const scanFacts = z.object({
  country: z.string().nullable().describe('ISO 3166-1 alpha-2; null if unknown.'),
  region: z.string().nullable().describe('Null if unknown.'),
  city: z.string().nullable().describe('Null if unknown.'),
  device: z.string().nullable().describe('Mobile, Tablet, Desktop and so on.'),
  os: z.string().nullable().describe('The operating system.'),
  browser: z.string().nullable().describe('The browser.'),
  referrer: z.string().nullable().describe('The site it came from; null if there was none.'),
  language: z.string().nullable().describe('The language of the device.'),
})

const scan = z.strictObject({
  id: z.string(),
  codeId,
  at: instant.describe('When it was scanned.'),
  isFirst: z.boolean().describe('Whether it’s the device’s first scan of the code that day (UTC).'),
  ...scanFacts.shape,
})

/** Scans of people, up to 1,000 one by one */
export const scanNews = z.strictObject({
  total: z.int().describe('How many scans.'),
  byCode: z.array(z.strictObject({ codeId, version, scans: z.int().describe('How many.') })),
  scans: z.array(scan).describe('The first 1,000, one by one.'),
})
export type ScanNews = z.infer<typeof scanNews>

/** A tag as it is now, with the name that its codes had before */
export const tagNews = tag.extend({
  formerName: tag.shape.name.describe(
    'Its name before. Only the color has changed if it’s the same.',
  ),
})

export const planNews = z.strictObject({
  tier: z.enum(tiers).describe('The plan that counts now.'),
  plan: z.enum(tiers).describe('The plan that was bought.'),
  status: z.string().describe('As the payment provider says it, such as active.'),
  billing: z.enum(billingPeriods).nullable().describe('How often it renews.'),
  currentPeriodEnd: instant.nullable().describe('Until when it’s paid.'),
  endsAtPeriodEnd: z.boolean().describe('True if it doesn’t renew.'),
})
export type PlanNews = z.infer<typeof planNews>
