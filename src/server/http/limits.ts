import type { TurnLimits } from './turns.ts'

/*
 * All limits on what one visitor may take from the others. README shows this table, and a test
 * compares the two. No limit touches the redirect of a code that exists.
 */

const MINUTE_MS = 60 * 1000

/** The one whom a limit is for. An address is an IPv4 address, or the /64 of an IPv6 address. */
export type Per = 'connection' | 'address' | 'account' | 'e-mail address'

export type Limit = { what: string; per: Per; why: string }

/** So many in a time, which begins with the first; one more is answered 429 with Retry-After. */
export type CountLimit = Limit & { max: number; windowMs: number }

/** A queue with turns; one more than may wait is answered 429 with Retry-After. */
export type QueueLimit = Limit & TurnLimits

/** Counted in the database, for all processes together. */
export const counted = {
  'sign-ins': {
    ...{ what: 'sign-ins', per: 'address', max: 30, windowMs: MINUTE_MS },
    why: 'guessing passwords is slow, and an office can sign in',
  },
  'sign-ups': {
    ...{ what: 'sign-ups', per: 'address', max: 30, windowMs: MINUTE_MS },
    why: 'a script does not fill the service with accounts',
  },
  'failed-sign-ins': {
    ...{ what: 'failed sign-ins', per: 'e-mail address', max: 10, windowMs: 15 * MINUTE_MS },
    why: 'nobody guesses the password of one account',
  },
} as const satisfies Record<string, CountLimit>

export type Counted = keyof typeof counted
