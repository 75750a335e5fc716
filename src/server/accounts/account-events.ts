import type { FastifyRequest } from 'fastify'
import type { SecurityEvent } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import { recordEvent } from '../audit/audit-store.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/schema.ts'
import type { Mailer } from '../mail/mail-room.ts'
import type { Letter } from '../mail/mail-template.ts'
import { originOf } from './origin.ts'
import type { Happening } from './sign-in/second-factor/factor-letters.ts'
import type { AccountRow } from './users-store.ts'

const LETTER_LIFE_MS = 2 * DAY_MS

type Deps = { clock: Clock; mailer: Mailer; config: { publicUrl: string } }

type FactorEvent = {
  event: SecurityEvent
  account: Pick<AccountRow, 'id' | 'email'>
  /** Who did it, the owner if absent */
  actor?: 'user' | 'stranger'
  /** The id of a passkey */
  subject?: string
  letter: (happening: Happening) => Letter
}

/** Writes down what was done to a factor and mails the owner, in the transaction of what was done. */
export async function recordAndTell(
  tx: Tx,
  { clock, mailer, config }: Deps,
  request: FastifyRequest,
  { event, account, actor = 'user', subject, letter }: FactorEvent,
): Promise<void> {
  const [now, origin] = [clock(), originOf(request)]
  await recordEvent(tx, { userId: account.id, actor, event, subject, origin }, now)
  await mailer.queue(tx, {
    kind: event,
    to: account.email,
    letter: letter({ origin, now, publicUrl: config.publicUrl }),
    lifeMs: LETTER_LIFE_MS,
  })
}
