import type { Db } from '../../database/schema.ts'
import { count, forgetCount, uncount } from '../../http/limits/counts-store.ts'

const TOO_MANY_FAILURES = 'Too many failed sign-ins. Try again in 15 minutes.'
const TOO_MANY_OF_ALL =
  'Too many failed sign-ins to this account. Try again in an hour, from a browser that has signed in before, or with a new password.'

export type Attempt = {
  email: string
  /** The client's address, as limits count it */
  address: string
  /** Whether this browser has signed in to the account before */
  isKnownDevice: boolean
}

/**
 * Counts a sign-in as failed before its password is checked, so that guesses sent at once are all
 * counted. Each address has a count of its own for each account, so that strangers do not lock the
 * owner out; a known browser has one that they cannot move at all.
 * @throws AppError rate_limited
 */
export async function beginAttempt(db: Db, attempt: Attempt, now: Date) {
  const { email, address, isKnownDevice } = attempt
  const own = `${email} ${isKnownDevice ? 'known device' : address}`
  await count(db, 'failed-sign-ins', own, now, { message: TOO_MANY_FAILURES })
  if (!isKnownDevice) {
    await count(db, 'all-failed-sign-ins', email, now, { message: TOO_MANY_OF_ALL })
  }
  const uncountOfAll = async () => {
    if (!isKnownDevice) await uncount(db, 'all-failed-sign-ins', email)
  }
  return {
    /** The password was not checked. */
    takeBack: async () => {
      await uncount(db, 'failed-sign-ins', own)
      await uncountOfAll()
    },
    /** The password was right. */
    succeed: async () => {
      await forgetCount(db, 'failed-sign-ins', own)
      await uncountOfAll()
    },
  }
}

/**
 * After a reset of the password strangers' guesses of it no longer count. Those of codes do: whoever
 * reads the mails could reset it again and again for more of them.
 */
export async function forgetAttempts(db: Db, { email, address }: Omit<Attempt, 'isKnownDevice'>) {
  await forgetCount(db, 'failed-sign-ins', `${email} ${address}`)
  await forgetCount(db, 'all-failed-sign-ins', email)
}
