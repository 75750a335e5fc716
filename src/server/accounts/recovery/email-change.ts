import type { LinkKind } from '#contract/accounts.ts'
import type { Origin } from '../../audit.ts'
import { recordEvent } from '../../audit.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { recordAndTell } from '../account-events.ts'
import { type AccountRow, findAccount, hasAccount } from '../users-store.ts'
import {
  beginChange,
  dropChange,
  finishChange,
  type PendingChange,
  pendingChange,
  rememberStep,
  type Step,
} from './email-change-store.ts'
import {
  endLinks,
  type LinkMailDeps,
  linkLives,
  mailLink,
  readToken,
  useToken,
} from './mailed-links.ts'
import { type Shown, stillShown } from './owner-shown.ts'
import {
  addressChangedLetter,
  addressTakenLetter,
  approveLetter,
  proveLetter,
} from './recovery-letters.ts'

const KINDS: LinkKind[] = ['approve-email', 'prove-email']
/** SQLSTATE of PostgreSQL */
const UNIQUE_VIOLATION = '23505'
const STEP_OF = { 'approve-email': 'approved', 'prove-email': 'proved' } as const

/**
 * Begins a change of an account's address, in place of an earlier one. Both addresses must agree, in
 * any order; but one that nobody has proved, such as a mistyped one, is only told.
 */
export async function beginEmailChange(
  { db, clock }: LinkMailDeps,
  account: AccountRow,
  change: { to: string; origin: Origin },
): Promise<void> {
  const now = clock()
  const { id } = account
  await transact(db, async (tx) => {
    await endLinks(tx, id, KINDS)
    const step: Step | null = account.emailVerified ? null : 'approved'
    const until = now.getTime() + linkLives['approve-email']
    await beginChange(tx, id, { to: change.to, step, until })
    await record(tx, { userId: id, event: 'email-change-asked', origin: change.origin }, now)
  })
}

/** The mails of a change. That the new address has an account of its own, only its owner learns. */
export async function mailEmailChange(deps: LinkMailDeps, account: AccountRow, to: string) {
  const { db, mailer, config } = deps
  const { id, email } = account
  await mailLink(deps, 'approve-email', { userId: id, email: to, to: email }, (url) =>
    approveLetter(url, { to, isConsentNeeded: account.emailVerified }),
  )
  if (!(await hasAccount(db, to))) {
    const link = { userId: id, email: to }
    return mailLink(deps, 'prove-email', link, (url) => proveLetter(url, email))
  }
  const letter = addressTakenLetter(config.publicUrl)
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
 * The new address agrees. Anybody can ask for a change to an address that is not theirs, so its
 * mailbox alone does not prove that the account is the reader's.
 * @throws as `agree`; password_needed where what was shown is over meanwhile
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
    if (shown && !(await stillShown(tx, userId, shown))) throw new AppError('password_needed')
    const step = STEP_OF[kind]
    if (change.step === null || change.step === step) return rememberStep(tx, userId, step)
    if (await hasAccount(tx, change.to)) throw new AppError('account_exists')
    await finish(deps, tx, { userId, change, origin })
  })
  mailer.soon()
}

type Finish = { userId: string; change: PendingChange; origin: Origin }

async function finish(deps: LinkMailDeps, tx: Tx, { userId, change, origin }: Finish) {
  await finishChange(tx, userId, change.to).catch((error: { code?: string }) => {
    // On PostgreSQL two accounts may ask for an address at once, of which its index refuses one.
    throw error.code === UNIQUE_VIOLATION ? new AppError('account_exists') : error
  })
  // Those that went to the old address: its readers must not get in any more.
  await endLinks(tx, userId)
  await recordAndTell(tx, deps, {
    event: 'email-changed',
    // The owner hears of it at the address that the account had.
    account: { id: userId, email: change.email },
    origin,
    letter: (happening) => addressChangedLetter(happening, change.to),
  })
}

/** The old address cancels the change by the link that could approve it. @throws AppError link_over */
export async function undoByLink(
  { db, clock }: LinkMailDeps,
  { token, origin }: Use,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const { userId } = await useChangeLink(tx, 'approve-email', token, now)
    await undo(tx, { userId, origin, now })
  })
}

/** The account's owner cancels the change in the settings. */
export async function undoChange({ db, clock }: LinkMailDeps, userId: string, origin: Origin) {
  await transact(db, (tx) => undo(tx, { userId, origin, now: clock() }))
}

async function undo(
  tx: Tx,
  { userId, origin, now }: { userId: string; origin: Origin; now: Date },
) {
  if (!(await dropChange(tx, userId))) return
  await endLinks(tx, userId, KINDS)
  await record(tx, { userId, event: 'email-change-undone', origin }, now)
}

async function useChangeLink(tx: Tx, kind: LinkKind, token: string, now: Date) {
  const link = await useToken(tx, kind, token, now)
  const change = link && (await pendingChange(tx, link.userId, now))
  if (!change || change.to !== link.email) throw new AppError('link_over')
  return { userId: link.userId, change }
}

type Recorded = {
  userId: string
  event: 'email-change-asked' | 'email-change-undone'
  origin: Origin
}

const record = (tx: Tx, entry: Recorded, now: Date) =>
  recordEvent(tx, { ...entry, actor: 'user' }, now)

/** The account, whose address may change. @throws AppError unauthorized */
export async function ownAccount({ db }: LinkMailDeps, userId: string): Promise<AccountRow> {
  const account = await findAccount(db, { id: userId })
  if (!account) throw new AppError('unauthorized')
  return account
}
