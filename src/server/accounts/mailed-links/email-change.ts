import type { LinkKind } from '#contract/accounts.ts'
import { type Actor, checkedActor, type Origin, transactAs } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { recordAndMail } from '../account-events.ts'
import { addressChangedLetter, addressTakenLetter, approveLetter, proveLetter } from '../letters.ts'
import { isStillShown, type Shown } from '../sign-in/password-check.ts'
import { type AccountRow, findAccount, hasAccount, ownAccount } from '../users-store.ts'
import {
  beginChange,
  dropChange,
  finishChange,
  type PendingChange,
  pendingChange,
  rememberStep,
} from './email-change-store.ts'
import {
  endLinks,
  type LinkMailDeps,
  linkLives,
  mailLink,
  readToken,
  useToken,
} from './mailed-links.ts'

const KINDS: LinkKind[] = ['approve-email', 'prove-email']
/** SQLSTATE of PostgreSQL */
const UNIQUE_VIOLATION = '23505'
const STEP_OF = { 'approve-email': 'approved', 'prove-email': 'proved' } as const

/**
 * Begins a change of an account's address, in place of an earlier one. Both addresses must agree, in
 * any order. One that was never proved, such as a mistyped one, only gets a mail.
 */
export async function beginEmailChange(
  deps: LinkMailDeps,
  actor: Actor,
  { id, emailVerified }: AccountRow,
  to: string,
): Promise<void> {
  const until = deps.clock().getTime() + linkLives['approve-email']
  await transactAs(deps.db, actor, async (tx) => {
    await endLinks(tx, id, KINDS)
    await beginChange(tx, id, { to, step: emailVerified ? null : 'approved', until })
    await deps.record(tx, actor, 'email-change-asked')
  })
}

/** Sends the mails of a change. Only the owner of the new address learns that it has an account. */
export async function mailEmailChange(deps: LinkMailDeps, account: AccountRow, to: string) {
  const { db, mailer, publicUrl } = deps
  const { id, email } = account
  await mailLink(deps, 'approve-email', { userId: id, email: to, to: email }, (url) =>
    approveLetter(url, { to, isConsentNeeded: account.emailVerified }),
  )
  if (!(await hasAccount(db, to))) {
    const link = { userId: id, email: to }
    return mailLink(deps, 'prove-email', link, (url) => proveLetter(url, email))
  }
  const letter = addressTakenLetter(publicUrl)
  await mailer.queue(db, { kind: 'prove-email', to, letter, lifeMs: linkLives['prove-email'] })
  mailer.soon()
}

/** The account whose new address a link proves, without using the link. @throws AppError link_over */
export async function accountToChange({ db, clock }: LinkMailDeps, token: string) {
  const link = await readToken(db, 'prove-email', token, clock())
  const account = link && (await findAccount(db, { id: link.userId }))
  if (!account) throw new AppError('link_over')
  return account
}

type Use = { token: string; origin: Origin }

/** The account's own address agrees. @throws as `agree` */
export const approve = (deps: LinkMailDeps, use: Use) => agree(deps, 'approve-email', use)

/**
 * The new address agrees. A stranger can ask for a change to it, so its mailbox alone does not prove
 * that the account is the reader's.
 * @throws as `agree`; password_needed if what was shown has ended since
 */
export const prove = (deps: LinkMailDeps, use: Use & { shown: Shown }) =>
  agree(deps, 'prove-email', use)

/**
 * One of the two addresses agrees; after the other one the account has its new address.
 * @throws AppError link_over, account_exists
 */
async function agree(
  deps: LinkMailDeps,
  kind: keyof typeof STEP_OF,
  { token, origin, shown }: Use & { shown?: Shown },
): Promise<void> {
  const { db, clock, mailer } = deps
  const now = clock()
  await transact(db, async (tx) => {
    const { userId, change } = await useChangeLink(tx, kind, token, now)
    if (shown && !(await isStillShown(tx, userId, shown))) throw new AppError('password_needed')
    const step = STEP_OF[kind]
    if (change.step === null || change.step === step) return rememberStep(tx, userId, step)
    if (await hasAccount(tx, change.to)) throw new AppError('account_exists')
    await finish(deps, tx, { userId, change, origin })
  })
  mailer.soon()
}

async function finish(
  deps: LinkMailDeps,
  tx: Tx,
  { userId, change, origin }: { userId: PersonId; change: PendingChange; origin: Origin },
) {
  await finishChange(tx, userId, change.to).catch((error: { code?: string }) => {
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
    letter: (context) => addressChangedLetter(context, change.to),
  })
}

/** The old address cancels the change by the link that could approve it. @throws AppError link_over */
export async function undoByLink(deps: LinkMailDeps, { token, origin }: Use): Promise<void> {
  await transact(deps.db, async (tx) => {
    const { userId } = await useChangeLink(tx, 'approve-email', token, deps.clock())
    await undo(deps, tx, checkedActor(userId, origin))
  })
}

/** The account's owner cancels the change in the settings. */
export const undoChange = (deps: LinkMailDeps, actor: Actor) =>
  transactAs(deps.db, actor, (tx) => undo(deps, tx, actor))

async function undo(deps: LinkMailDeps, tx: Tx, actor: Actor) {
  if (!(await dropChange(tx, actor.personId))) return
  await endLinks(tx, actor.personId, KINDS)
  await deps.record(tx, actor, 'email-change-undone')
}

async function useChangeLink(tx: Tx, kind: LinkKind, token: string, now: Date) {
  const link = await useToken(tx, kind, token, now)
  const change = link && (await pendingChange(tx, link.userId, now))
  if (!change || change.to !== link.email) throw new AppError('link_over')
  return { userId: link.userId, change }
}
