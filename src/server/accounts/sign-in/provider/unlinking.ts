import type { Origin } from '../../../audit.ts'
import type { Config } from '../../../config.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { type AccountEventDeps, recordAndTell } from '../../account-events.ts'
import { providerUnlinkedLetter } from '../../letters.ts'
import type { OwnSession } from '../../sessions/require-user.ts'
import { hasSession } from '../../sessions/sessions-store.ts'
import { findAccount, lockUser, passwordHashOf } from '../../users-store.ts'
import { passkeysOf } from '../passkeys/passkeys-store.ts'
import type { Provider } from './provider.ts'
import { endProviderSessions, isLinked, unlink } from './provider-store.ts'

type Deps = AccountEventDeps & {
  db: Db
  config: Pick<Config, 'publicUrl' | 'passwordLogin'>
  provider: Provider
}

/**
 * The provider no longer opens an account. All other sessions that it opened end, and the owner is
 * told. Nothing happens where it opens nothing.
 * @throws AppError last_way_in; unauthorized where the session has ended meanwhile
 */
export async function unlinkProvider(
  deps: Deps,
  { id, session, origin }: { id: string; session: OwnSession; origin: Origin },
): Promise<void> {
  const { db, mailer, config, provider } = deps
  await transact(db, async (tx) => {
    await lockUser(tx, id)
    const account = await findAccount(tx, { id })
    if (!account || !(await hasSession(tx, id, session.id))) throw new AppError('unauthorized')
    if (!(await isLinked(tx, id))) return
    if (!config.passwordLogin) {
      throw new AppError('last_way_in', `Everybody signs in here with ${provider.name}.`)
    }
    const isMailed = mailer.hasServer && account.emailVerified
    if (!isMailed && !(await hasOwnWay(tx, id))) throw new AppError('last_way_in')
    await unlink(tx, id)
    await endProviderSessions(tx, id, session.id)
    await recordAndTell(tx, deps, {
      event: 'provider-unlinked',
      account,
      origin,
      letter: (happening) => providerUnlinkedLetter({ ...happening, provider: provider.name }),
    })
  })
  mailer.soon()
}

async function hasOwnWay(tx: Tx, userId: string): Promise<boolean> {
  return (await passwordHashOf(tx, userId)) !== null || (await passkeysOf(tx, userId)).length > 0
}
