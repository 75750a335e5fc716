/* Values only, as in code-values.ts: the drawer shows figures without loading Zod. */

/** The ranges that a reader chooses from; `free` has a first and a last day. */
export const ranges = ['24h', '7d', '30d', '90d', '12m', 'all', 'free'] as const
export type Range = (typeof ranges)[number]

/** The first day that a free range may have: no code is older. */
export const EARLIEST = '2000-01-01'

/** What one point of the line stands for. */
export const steps = ['hour', 'day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

/** A line has at most this many points: a step that would give more is refused. */
export const POINTS_MAX = 800

/** What scans can be told apart by. Each is a list in the drawer, and each row of it a filter. */
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
] as const
export type Facet = (typeof facets)[number]

/** The value of a filter that asks for the scans of which a facet is not known. */
export const UNKNOWN = '-'

/** Rows of one list; the scans of further values are in its `others`. */
export const LIST_ROWS_MAX = 500

/** What a visit is taken for. */
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

/** What the owner may note beside a link. */
export const SHARE_NOTE_MAX = 100
