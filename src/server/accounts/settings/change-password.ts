import { DAY_MS } from '#contract/time.ts'
import { type Origin, recordEvent } from '../../audit/audit-store.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { passwordChangedLetter } from '../letters.ts'
import { dropChange } from '../recovery/email-change-store.ts'
import { endLinks } from '../recovery/mailed-links.ts'
import type { OwnSession } from '../sessions/require-user.ts'
import { endSessions, hasSession } from '../sessions/sessions-store.ts'
import { forgetOtherDevices } from '../sign-in/known-devices-store.ts'
import { type AccountRow, lockUser, passwordHashOf, savePassword } from '../users-store.ts'

const LETTER_LIFE_MS = 2 * DAY_MS

type Deps = { db: Db; clock: Clock; mailer: Mailer; config: { publicUrl: string } }

/** From where the password is changed: this session and this browser stay. */
export type Here = { session: OwnSession; device: string | undefined; origin: Origin }

/**
 * Gives an account a new password, proved and hashed before. All other sessions and browsers and all
 * mailed links end with the old one, also a change of the address, and the owner is told.
 * @throws AppError unauthorized where the session has ended meanwhile
 */
export async function changePassword(
  { db, clock, mailer, config }: Deps,
  { id, email }: AccountRow,
  hash: string,
  { session, device, origin }: Here,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    await lockUser(tx, id)
    // While the password was hashed somebody may have signed this browser out.
    if (!(await hasSession(tx, id, session.id))) throw new AppError('unauthorized')
    const isFirst = (await passwordHashOf(tx, id)) === null
    await savePassword(tx, id, hash, now)
    await endSessions(tx, id, session.id)
    await endLinks(tx, id)
    await dropChange(tx, id)
    await forgetOtherDevices(tx, id, device)
    const event = 'password-changed'
    await recordEvent(tx, { userId: id, actor: 'user', event, origin }, now)
    const happening = { origin, now, publicUrl: config.publicUrl }
    const letter = passwordChangedLetter(happening, { isFirst })
    await mailer.queue(tx, { kind: event, to: email, letter, lifeMs: LETTER_LIFE_MS })
  })
  mailer.soon()
}
