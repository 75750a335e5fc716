/* Values only, as in code-values.ts: screens show rules without loading Zod. */

/** Rules of one code. */
export const RULES_MAX = 20
/** Destinations of one rule, among which its visitors are divided. */
export const VARIANTS_MAX = 10
/** Values of one condition. */
export const VALUES_MAX = 50
/** Characters of all rules of a code together, as JSON. */
export const RULES_LENGTH_MAX = 32_768
/** The most scans that a limit or a condition can name. */
export const SCANS_MAX = 1_000_000_000

/** The days of a week as ISO 8601 numbers them: 1 is Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** Operating systems that a rule can name, as scans have them. An iPad says that it is a Mac, unless its browser is not Safari. */
export const systems = [
  'iOS',
  'Android',
  'HarmonyOS',
  'Windows',
  'macOS',
  'Linux',
  'Chrome OS',
  'KaiOS',
] as const

/** The fields of a code whose changes are kept, by the names that people read. */
export const keptFieldNames = {
  url: 'Destination',
  rules: 'Rules',
  startsAt: 'Start',
  endsAt: 'End',
  scanLimit: 'Scan limit',
  fallbackUrl: 'Fallback',
  isActive: 'Status',
  hasPassword: 'Password',
}
export type KeptField = keyof typeof keptFieldNames
export const keptFields = Object.keys(keptFieldNames) as KeptField[]

/** Changes of a code that are kept; the oldest goes when there are more. */
export const CHANGES_MAX = 1_000
/** States of a code in one answer */
export const STATES_PAGE = 100
