import { sql } from 'kysely'
import { emailChange } from '#contract/accounts/account-settings.ts'
import {
  addressProof,
  type LinkKind,
  mailedToken,
  signInAnswer,
} from '#contract/accounts/accounts.ts'
import { z } from '#contract/zod.ts'
import { checkedActor, type Origin, type PersonActor, transactAs } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import { updateWhere } from '../../database/rows.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError, invalidInput } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Api } from '../../room.ts'
import { recordAndMail } from '../account-events.ts'
import { addressChangedLetter, addressTakenLetter, approveLetter, proveLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import {
  countMail,
  endLinks,
  type LinkMailDeps,
  linkLives,
  mailLink,
  readToken,
  spendToken,
} from '../proof/mailed-links.ts'
import { isStillShown, type Shown, type SignInMethodDeps, showOwner } from '../proof/owner-proof.ts'
import {
  type AccountRow,
  changeUser,
  dropChange,
  findAccount,
  NO_CHANGE,
  ownAccount,
} from '../users-store.ts'

const KINDS: LinkKind[] = ['approve-email', 'prove-email']
/** SQLSTATE of PostgreSQL */
const UNIQUE_VIOLATION = '23505'
const STEP_OF = { 'approve-email': 'approved', 'prove-email': 'proved' } as const

/** Another e-mail address for an account: asked for in the settings, agreed to at both addresses. */
export async function emailChangeRoutes(app: Api, deps: SignInMethodDeps) {
  const { db, clock, requireUser, demandOwner, later, signIns } = deps
  const signedIn = { onRequest: requireUser }

  /**
   * Begins a change, in place of an earlier one. Both addresses must agree, in any order. One that was never
   * proved, such as a mistyped one, only gets a mail.
   */
  const asking = { ...signedIn, schema: { body: emailChange } }
  app.post('/api/account/email', asking, async (request, reply) => {
    const to = request.body.email.toLowerCase()
    const account = await ownAccount(db, request.actor.personId)
    const { id, email, emailVerified } = account
    if (to === email) {
      throw invalidInput([{ path: 'email', message: 'This is already your address' }])
    }
    await demandOwner(request, request.body.password)
    await count(db, 'email-changes', id, clock())
    await countMail(deps, 'prove-email', to)
    const until = clock().getTime() + linkLives['approve-email']
    await transactAs(db, request.actor, async (tx) => {
      await endLinks(tx, id, KINDS)
      await changeUser(tx, id, {
        pending_email: to,
        pending_step: emailVerified ? null : 'approved',
        pending_until: until,
      })
      await deps.record(tx, request.actor, 'email-change-asked')
    })
    later.run(() => mailEmailChange(deps, account, to))
    return reply.code(202).send()
  })

  /** The account's owner cancels the change in the settings. */
  app.delete('/api/account/email', signedIn, async ({ actor }, reply) => {
    await transactAs(db, actor, (tx) => undo(deps, tx, actor))
    return reply.code(204).send()
  })

  /** The account's own address agrees, or cancels the change by the same link. */
  for (const [path, use] of [
    ['approve', agree],
    ['undo', undoByLink],
  ] as const) {
    const byLink = { schema: { body: mailedToken } }
    app.post(`/api/auth/change-email/${path}`, byLink, async (request, reply) => {
      await count(db, 'link-uses', clientAddress(request), clock())
      await use(deps, 'approve-email', { ...request.body, origin: originOf(request) })
      return reply.code(204).send()
    })
  }

  /**
   * The new address agrees. A stranger can ask for a change to it, so its mailbox alone does not prove
   * that the account is the reader's.
   */
  const proving = {
    schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } },
  }
  app.post('/api/auth/change-email/prove', proving, async (request, reply) => {
    const { token, password } = request.body
    await count(db, 'link-uses', clientAddress(request), clock())
    const link = await readToken(db, 'prove-email', token, clock())
    const account = link && (await findAccount(db, { id: link.userId }))
    if (!account) throw new AppError('link_over')
    const shown = await showOwner(deps, request, reply, { account, password })
    // The account has no password: its owner signs in another way, as when asking for the change.
    if (!shown) throw new AppError('sign_in_first')
    await agree(deps, 'prove-email', { token, shown, origin: originOf(request) })
    if ('sessionId' in shown) return reply.code(204).send()
    // A user who has given the password need not give it again to sign in.
    const own = { ...shown, account: await ownAccount(db, account.id) }
    return signIns.complete(request, reply, own)
  })
}

/** Sends the mails of a change. Only the owner of the new address learns that it has an account. */
async function mailEmailChange(deps: LinkMailDeps, account: AccountRow, to: string) {
  const { db, mailer, publicUrl } = deps
  const { id, email } = account
  await mailLink(deps, 'approve-email', { userId: id, email: to, to: email }, (url) =>
    approveLetter(url, { to, isConsentNeeded: account.emailVerified }),
  )
  if (!(await findAccount(db, { email: to }))) {
    const link = { userId: id, email: to }
    return mailLink(deps, 'prove-email', link, (url) => proveLetter(url, email))
  }
  const letter = addressTakenLetter(publicUrl)
  await mailer.queue(db, { kind: 'prove-email', to, letter, lifeMs: linkLives['prove-email'] })
  mailer.soon()
}

type Use = { token: string; origin: Origin; shown?: Shown }

/**
 * One of the two addresses agrees; after the other one the account has its new address.
 * @throws AppError link_over, account_exists; password_needed if what was shown has ended since
 */
async function agree(
  deps: LinkMailDeps,
  kind: keyof typeof STEP_OF,
  { token, origin, shown }: Use,
): Promise<void> {
  const { db, clock } = deps
  const now = clock()
  await transact(db, async (tx) => {
    const { userId, change } = await useChangeLink(tx, kind, token, now)
    if (shown && !(await isStillShown(tx, userId, shown))) throw new AppError('password_needed')
    const step = STEP_OF[kind]
    if (change.step === null || change.step === step) {
      return changeUser(tx, userId, { pending_step: step })
    }
    if (await findAccount(tx, { email: change.to })) throw new AppError('account_exists')
    const proved = { email: change.to, emailVerified: sql<boolean>`true`, ...NO_CHANGE }
    await changeUser(tx, userId, proved).catch((error: { code?: string }) => {
      // On PostgreSQL two accounts may ask for an address at once. Its index refuses one of them.
      throw error.code === UNIQUE_VIOLATION ? new AppError('account_exists') : error
    })
    // The links that went to the old address: its readers must not get in any more.
    await endLinks(tx, userId)
    await recordAndMail(tx, deps, {
      event: 'email-changed',
      // The mail goes to the address that the account had.
      account: { ...(await ownAccount(tx, userId)), email: change.email },
      origin,
      letter: () => addressChangedLetter(change.to),
    })
  })
}

async function undoByLink(deps: LinkMailDeps, kind: LinkKind, { token, origin }: Use) {
  await transact(deps.db, async (tx) => {
    const { userId } = await useChangeLink(tx, kind, token, deps.clock())
    await undo(deps, tx, checkedActor(userId, origin))
  })
}

async function undo(deps: LinkMailDeps, tx: Tx, actor: PersonActor) {
  if (!(await dropChange(tx, actor.personId))) return
  await endLinks(tx, actor.personId, KINDS)
  await deps.record(tx, actor, 'email-change-undone')
}

async function useChangeLink(tx: Tx, kind: LinkKind, token: string, now: Date) {
  const link = await spendToken(tx, kind, token, now)
  const change = link && (await pendingChange(tx, link.userId, now))
  if (!change || change.to !== link.email) throw new AppError('link_over')
  return { userId: link.userId, change }
}

/** The change that is under way, if any. Locks the account, so that two answers come one by one. */
async function pendingChange(tx: Tx, userId: PersonId, now: Date) {
  // An update locks the row on both engines.
  const row = await updateWhere(tx, 'users', { id: userId })
    .set({ pending_step: sql`pending_step` })
    .where('pending_until', '>', now.getTime())
    .returning(['email', 'emailVerified', 'pending_email', 'pending_step'])
    .executeTakeFirst()
  if (!row?.pending_email) return undefined
  const { email, emailVerified, pending_email: to, pending_step: step } = row
  return { email, isProved: Boolean(emailVerified), to, step }
}
