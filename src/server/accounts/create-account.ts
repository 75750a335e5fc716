import { runWithTransaction } from '@better-auth/core/context'
import type { Db } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import type { Auth } from './auth.ts'
import { type AccountRow, findAccount } from './users-store.ts'

export type NewAccount = {
  email: string
  name: string
  firstName?: string | undefined
  lastName?: string | undefined
  emailVerified: boolean
  /** Whether the address must be proved before the first sign-in */
  mustVerify?: boolean
  /** The hash of a password, or the provider's id of the person */
  credential: { password: string } | { providerId: string; accountId: string } | undefined
}

/**
 * Makes an account with its credential, both or neither. Hash the password before: a transaction
 * holds the database.
 * @throws AppError account_exists
 */
export async function createAccount(auth: Auth, db: Db, given: NewAccount): Promise<AccountRow> {
  const { internalAdapter, adapter } = await auth.$context
  const { email, name, firstName, lastName, emailVerified, mustVerify, credential } = given
  try {
    await runWithTransaction(adapter, async () => {
      const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) }
      const { id } = await internalAdapter.createUser(
        {
          email: email.toLowerCase(),
          name,
          emailVerified,
          ...(mustVerify && { mustVerify: 1 }),
          ...names,
        },
        { method: 'email-password' },
      )
      if (!credential) return
      const account =
        'password' in credential
          ? { accountId: id, providerId: 'credential', password: credential.password }
          : credential
      await internalAdapter.linkAccount({ userId: id, ...account })
    })
  } catch (error) {
    // Of two at once the unique index refuses one.
    if (await findAccount(db, { email })) throw new AppError('account_exists')
    throw error
  }
  const account = await findAccount(db, { email })
  if (!account) throw new AppError('unavailable')
  return account
}
