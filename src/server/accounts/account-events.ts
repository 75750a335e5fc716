import type { AuditEvent } from '#contract/accounts/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import {
  type Actor,
  checkedActor,
  checkProof,
  lockPerson,
  lockWorkspaces,
  type Origin,
  type PersonActor,
  workspaceIn,
} from '../actor.ts'
import { type AuditEntry, recordEvent } from '../audit.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { rowsWhere } from '../database/rows.ts'
import type { Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { unlessOwn } from '../memberships.ts'
import type { AccountDeps } from './account-deps.ts'
import { type EventLetter, withFacts } from './letters.ts'
import { type AccountRow, createAccount, type NewAccount, ownAccount } from './users-store.ts'

/** How long the mail about an event is of use. */
export const EVENT_LETTER_MS = 2 * DAY_MS

export type EventDeps = Pick<AccountDeps, 'clock' | 'mailer' | 'publicUrl'>

export type Change = {
  tx: Tx
  account: AccountRow
  /** Records an event of the account and mails it to the owner. */
  report: (
    event: AuditEvent,
    letter: EventLetter,
    about?: Pick<AccountEvent, 'subject' | 'actor' | 'lifeMs'>,
  ) => Promise<void>
}

/**
 * Changes an account, or what a person has in the workspace in which they act. Changes of one account come one after
 * the other. @throws AppError unauthorized if the account is gone, and as `checkProof`
 */
export function changeAccount<T>(
  deps: Pick<AccountDeps, 'db'> & EventDeps,
  actor: PersonActor | Actor,
  change: (given: Change) => Promise<T>,
  /** Other workspaces that it is about */
  also: WorkspaceId[] = [],
): Promise<T> {
  return transact(deps.db, async (tx) => {
    const places = 'workspaceId' in actor ? [actor.workspaceId, ...also] : also
    await lockWorkspaces(tx, places)
    await lockPerson(tx, actor.personId)
    await checkProof(tx, actor)
    const account = await ownAccount(tx, actor.personId)
    const { origin } = actor
    const report: Change['report'] = (event, letter, about) =>
      recordAndMail(tx, deps, {
        event,
        account,
        workspaceId: workspaceIn(actor),
        origin,
        letter,
        ...about,
      })
    return change({ tx, account, report })
  })
}

/** Whether a newcomer may open an account who proves that this address is theirs. */
export async function mayOpenAccount(
  { db, clock, config }: Pick<AccountDeps, 'db' | 'clock' | 'config'>,
  email: string,
): Promise<boolean> {
  if (config.signUp !== 'invited') return config.signUp === 'open'
  const invitations = rowsWhere(db, 'invitations', { email: email.toLowerCase() })
  const open = invitations.where('ends_at', '>', clock().getTime())
  return (await open.executeTakeFirst()) !== undefined
}

/** Makes the account of a newcomer and records that, with what else they did. @throws as `createAccount` */
export function openAccount(
  { db, clock, record }: Pick<AccountDeps, 'db' | 'clock' | 'record'>,
  given: NewAccount,
  origin: Origin,
  ...also: AuditEvent[]
): Promise<AccountRow> {
  return transact(db, async (tx) => {
    const account = await createAccount(tx, given, clock())
    const actor = checkedActor(account.id, origin)
    for (const event of ['signed-up', ...also] as const) await record(tx, actor, event)
    return account
  })
}

type AccountEvent = Pick<AuditEntry, 'event' | 'subject' | 'workspaceId'> & {
  account: AccountRow
  origin: Origin
  /** The owner if absent */
  actor?: AuditEntry['actor']
  letter: EventLetter
  lifeMs?: number
}

/** Writes down an event of an account and queues a mail to its owner, in the transaction of the event. */
export async function recordAndMail(
  tx: Tx,
  { clock, mailer, publicUrl }: EventDeps,
  { account, letter, lifeMs = EVENT_LETTER_MS, actor = 'user', ...entry }: AccountEvent,
): Promise<void> {
  const now = clock()
  const { id, email, emailVerified, locale } = account
  const { workspaceId } = entry
  const place = workspaceId && (await unlessOwn(tx, { personId: id, workspaceId }))
  await recordEvent(tx, { ...entry, userId: id, actor }, now)
  await mailer.queue(tx, {
    kind: entry.event,
    to: email,
    account: id,
    letter: withFacts(letter({ publicUrl, emailVerified, locale, workspaceId: place }), {
      ...entry,
      now,
      locale,
    }),
    lifeMs,
  })
}
