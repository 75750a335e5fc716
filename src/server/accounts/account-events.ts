import type { AuditEvent } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Origin, recordEvent } from '../audit.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/schema.ts'
import type { Mailer } from '../mail/mail-room.ts'
import type { Letter } from '../mail/mail-template.ts'
import type { Happening } from './letters.ts'
import type { AccountRow } from './users-store.ts'

const LETTER_LIFE_MS = 2 * DAY_MS

export type AccountEventDeps = { clock: Clock; mailer: Mailer; config: { publicUrl: string } }

type AccountEvent = {
  event: AuditEvent
  account: Pick<AccountRow, 'id' | 'email'>
  origin: Origin
  /** The owner if absent */
  actor?: 'user' | 'stranger'
  /** The id of a passkey or a key */
  subject?: string
  letter: (happening: Happening) => Letter
  /** How long the mail is of use, two days if absent */
  lifeMs?: number
}

/**
 * Writes down what happened to an account and mails its owner, in the transaction of what happened. Call
 * `mailer.soon` after it.
 */
export async function recordAndTell(
  tx: Tx,
  { clock, mailer, config }: AccountEventDeps,
  {
    event,
    account,
    origin,
    actor = 'user',
    subject,
    letter,
    lifeMs = LETTER_LIFE_MS,
  }: AccountEvent,
): Promise<void> {
  const now = clock()
  await recordEvent(tx, { userId: account.id, actor, event, subject, origin }, now)
  await mailer.queue(tx, {
    kind: event,
    to: account.email,
    account: account.id,
    letter: letter({ origin, now, publicUrl: config.publicUrl }),
    lifeMs,
  })
}
