import type { Origin } from '../../audit.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { type AccountEventDeps, recordAndTell } from '../account-events.ts'
import { passwordChangedLetter } from '../letters.ts'
import { dropChange } from '../recovery/email-change-store.ts'
import { endLinks } from '../recovery/mailed-links.ts'
import type { OwnSession } from '../sessions/require-user.ts'
import { endSessions, hasSession } from '../sessions/sessions-store.ts'
import { forgetOtherDevices } from '../sign-in/sign-ins-store.ts'
import { type AccountRow, lockUser, passwordHashOf, savePassword } from '../users-store.ts'

type Deps = AccountEventDeps & { db: Db }

/** From where the password is changed: this session and this browser stay. */
export type Here = { session: OwnSession; device: string | undefined; origin: Origin }

/**
 * Gives an account a new password, proved and hashed before. All other sessions and browsers and all
 * mailed links end with the old one, also a change of the address, and the owner is told.
 * @throws AppError unauthorized where the session has ended meanwhile
 */
export async function changePassword(
  deps: Deps,
  account: AccountRow,
  hash: string,
  { session, device, origin }: Here,
): Promise<void> {
  const { db, clock, mailer } = deps
  const { id } = account
  await transact(db, async (tx) => {
    await lockUser(tx, id)
    // While the password was hashed somebody may have signed this browser out.
    if (!(await hasSession(tx, id, session.id))) throw new AppError('unauthorized')
    const isFirst = (await passwordHashOf(tx, id)) === null
    await savePassword(tx, id, hash, clock())
    await endSessions(tx, id, session.id)
    await endLinks(tx, id)
    await dropChange(tx, id)
    await forgetOtherDevices(tx, id, device)
    await recordAndTell(tx, deps, {
      event: 'password-changed',
      account,
      origin,
      letter: (happening) => passwordChangedLetter(happening, { isFirst }),
    })
  })
  mailer.soon()
}
