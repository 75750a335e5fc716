import { billingPeriods, tiers } from '../billing/plans.ts'
import { tag } from '../codes/tags.ts'
import { flag, list, oneOf, scannedAt, text, textOrNull, timeOrNull, whole, z } from '../zod.ts'

/*
 * The `data` of events, where it isn't a code.
 */

const codeId = text('The id of the code.')
const version = z.int().min(1).describe('The code’s version now.')

/** Facts of a scan, as the ledger has them */
export const scanFacts = z.object({
  country: textOrNull('ISO 3166-1 alpha-2; null if unknown.'),
  region: textOrNull('Null if unknown.'),
  city: textOrNull('Null if unknown.'),
  device: textOrNull('Mobile, Tablet, Desktop and so on.'),
  os: textOrNull('The operating system.'),
  browser: textOrNull('The browser.'),
  referrer: textOrNull('The site it came from; null if there was none.'),
  language: textOrNull('The language of the device.'),
  branch: textOrNull('The rule’s destination that it took, by its id; null for the main one.'),
})

const scan = z.strictObject({
  id: text('The id of the scan.'),
  codeId,
  at: scannedAt,
  isFirst: flag('Whether it’s the device’s first scan of the code that day (UTC).'),
  ...scanFacts.shape,
})

/** Scans of people, up to 1,000 one by one */
export const scanNews = z.strictObject({
  total: whole('How many scans.'),
  byCode: list(
    z.strictObject({ codeId, version, scans: whole('How many.') }),
    'The scans of each code.',
  ),
  scans: list(scan, 'The first 1,000, one by one.'),
})
export type ScanNews = z.infer<typeof scanNews>

/** A tag as it is now, with the name that its codes had before */
export const tagNews = tag.extend({
  formerName: tag.shape.name.describe(
    'Its name before. Only the color has changed if it’s the same.',
  ),
})

export const planNews = z.strictObject({
  tier: oneOf(tiers, 'The plan that counts now.'),
  plan: oneOf(tiers, 'The plan that was bought.'),
  status: text('As the payment provider says it, such as active.'),
  billing: z.enum(billingPeriods).nullable().describe('How often it renews.'),
  currentPeriodEnd: timeOrNull('Until when it’s paid.'),
  endsAtPeriodEnd: flag('True if it doesn’t renew.'),
})
export type PlanNews = z.infer<typeof planNews>
