/* Values only, as in code-values.ts: the drawer shows figures without loading Zod. */

/** The ranges that a reader chooses from, in the order of the screen; `free` has a first and a last day. */
export const ranges = [
  '24h',
  '7d',
  'last-week',
  '30d',
  'this-month',
  'last-month',
  '90d',
  '12m',
  'all',
  'free',
] as const
export type Range = (typeof ranges)[number]

/** The first day that a free range may have: no code is older. */
export const EARLIEST = '2000-01-01'

/** The period of one point of the line. */
export const steps = ['hour', 'day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

/** A line has at most this many points: a step that would give more is refused. */
export const POINTS_MAX = 800

/** Properties of a scan. Each is a list in the drawer, and each row of a list is a filter. */
export const facets = [
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'app',
  'language',
  'referrer',
  'branch',
] as const
export type Facet = (typeof facets)[number]

/** The kinds of devices that scan codes. */
export const deviceNames = ['Mobile', 'Tablet', 'Desktop', 'TV', 'Other'] as const
export type DeviceName = (typeof deviceNames)[number]

/** The parameters of a destination that name a campaign */
export const utmParameters = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const
export type UtmParameter = (typeof utmParameters)[number]

/** The value of a filter that asks for the scans of which a facet is not known. */
export const UNKNOWN = '-'

/** Days of a week, by which ISO 8601 numbers them from Monday on. */
export const WEEK_DAYS = 7

/** Rows of one list; the scans of further values are in its `others`. */
export const LIST_ROWS_MAX = 500

/** The kinds of visits. */
export const scanClasses = ['person', 'bot', 'preview', 'prefetch', 'head'] as const
export type ScanClass = (typeof scanClasses)[number]

/** The same in words. */
export const scanClassNames: Record<ScanClass, string> = {
  person: 'Person',
  bot: 'Bot',
  preview: 'Link preview',
  prefetch: 'Fetched ahead',
  head: 'Link check',
}

/** Days that a page may be shared for. Each shared page has an end. */
export const shareDays = [7, 30, 90, 365] as const
export type ShareDays = (typeof shareDays)[number]

/** The length of the owner's note beside a link, in characters */
export const SHARE_NOTE_MAX = 100
