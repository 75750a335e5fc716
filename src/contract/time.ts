/** A day of 24 hours in milliseconds, as UTC has them. */
export const DAY_MS = 24 * 60 * 60 * 1000
