import { DAY_MS } from '#contract/time.ts'
import { recordEvent } from '../../../audit/audit-store.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import type { Mailer } from '../../../mail/mail-room.ts'
import { endSessions } from '../../sessions/sessions-store.ts'
import { findAccount, lockUser } from '../../users-store.ts'
import { operatorTurnedOffLetter } from './factor-letters.ts'
import { removeRecoveryCodes } from './recovery-codes-store.ts'
import { hasSecondFactor, removeSecondFactor } from './second-factor-store.ts'

type Deps = { db: Db; mailer: Pick<Mailer, 'queue'>; config: { publicUrl: string } }

/**
 * The operator turns off the second step of somebody who has lost phone and recovery codes. All their
 * browsers are signed out, and they are told; the server sends the mail.
 * @returns what came of it
 */
export async function turnOffLost(
  { db, mailer, config }: Deps,
  address: string,
  now: Date,
): Promise<'off' | 'no-account' | 'no-second-step'> {
  return transact(db, async (tx) => {
    const account = await findAccount(tx, { email: address })
    if (!account) return 'no-account'
    const { id, email } = account
    await lockUser(tx, id)
    if (!(await hasSecondFactor(tx, id))) return 'no-second-step'
    await removeSecondFactor(tx, id)
    await removeRecoveryCodes(tx, id)
    await endSessions(tx, id)
    const event = 'second-factor-off' as const
    await recordEvent(tx, { userId: id, actor: 'operator', event }, now)
    const letter = operatorTurnedOffLetter(config.publicUrl)
    await mailer.queue(tx, { kind: event, to: email, letter, lifeMs: 2 * DAY_MS })
    return 'off'
  })
}
