import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { PersonId, WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit } from '../database/transact.ts'
import { dueQueue } from '../due-queue.ts'
import { mayCount } from '../http/limits/counts-store.ts'
import { counter } from '../http/metrics.ts'
import type { Job } from '../jobs.ts'
import { unlessOwn } from '../memberships.ts'
import { type Letter, writeLetter } from './mail-template.ts'
import {
  claimMail,
  dropExpired,
  hasLink,
  queueMail,
  removeMail,
  tryMailLater,
  type WaitingMail,
} from './mails-store.ts'
import { faultOf, isRefused, type MailSettings, mailTransport } from './transport.ts'

const SEND_EVERY_MS = 30_000
/** Mails under way at once: one that takes long holds up few others. */
const SENDERS = 4

type Deps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  config: MailSettings
}

/** A letter on its way. */
export type Outgoing = {
  /** Its topic, for logs and figures, such as `reset-password` */
  kind: string
  to: string
  /** The account that it is about; absent if a stranger asked for it */
  account?: string
  letter: Letter
  /** The time after which it is useless and is dropped */
  lifeMs: number
}

/** The functions with which other rooms send a mail. */
export type Mailer = {
  /**
   * Puts a mail into the queue, in the transaction of its event, and sends it after the commit. A mail with a link
   * is always queued.
   * @returns false if the queue has no room for a notice, or there were too many of its kind
   */
  queue: (db: Db, mail: Outgoing) => Promise<boolean>
  /** Sends what was queued outside a transaction. It never throws. */
  soon: () => void
  /** Whether mails leave this server */
  hasServer: boolean
}

/**
 * Sends the mails that wait in the database: at once in the process that queued one (`soon`), and by
 * a job what a stop or a failure left. A mail that a crash interrupts may go out twice, never not at all.
 */
export function mailRoom({ db, clock, log, config }: Deps) {
  const handOver = mailTransport(config)
  if (!config.smtpUrl) log.info('SMTP_URL is not set: mails are files in DATA_DIR/outbox')
  const counts = { sent: 0, failed: 0, refused: 0, expired: 0, replaced: 0, dropped: 0 }
  const queue = dueQueue({
    name: 'mails',
    atOnce: SENDERS,
    log,
    take: () => claimMail(db, clock()),
    work: send,
  })

  async function send(mail: WaitingMail, signal: AbortSignal) {
    try {
      await handOver(mail, signal)
    } catch (error) {
      return keepOrDrop(mail, error)
    }
    counts.sent++
    // If this fails, the mail goes out again, with the same Message-ID.
    await removeMail(db, mail.id)
  }

  async function keepOrDrop(mail: WaitingMail, error: unknown) {
    const { id, kind, attempts } = mail
    const about = { mail: id, kind, attempts, ...faultOf(error) }
    if (isRefused(error)) {
      counts.refused++
      log.warn(about, 'the mail server refuses a mail; it is dropped')
      return removeMail(db, id)
    }
    await tryMailLater(db, mail, clock())
    counts.failed++
    log.warn(about, 'mail not sent; it is tried again')
  }

  async function dropUseless() {
    const expired = await dropExpired(db, clock())
    if (expired === 0) return
    counts.expired += expired
    log.warn({ mails: expired }, 'mails were not sent in time; they are dropped')
  }

  async function isOverLimit(db: Db, { kind, to, account }: Outgoing, now: Date) {
    if (hasLink(kind)) return false
    if (account && !(await mayCount(db, 'notices', `${kind} ${account}`, now))) return true
    return !(await mayCount(db, 'notices-to', `${kind} ${to}`, now))
  }

  const mailer: Mailer = {
    queue: async (db, outgoing) => {
      const { kind, to, letter, lifeMs } = outgoing
      const now = clock()
      if (await isOverLimit(db, outgoing, now)) {
        counts.dropped++
        return false
      }
      const texts = { subject: letter.subject, ...writeLetter(letter, config.publicUrl) }
      const unsubscribe = letter.unsubscribe ?? null
      const expires_at = now.getTime() + lifeMs
      const mail = { kind, recipient: to, ...texts, unsubscribe, expires_at }
      const { isQueued, replaced, dropped } = await queueMail(db, mail, now)
      afterCommit(db, queue.soon)
      counts.replaced += replaced
      counts.dropped += dropped
      if (dropped > 0) log.error({ kind }, 'too many mails wait; one of this kind is dropped')
      return isQueued
    },
    soon: queue.soon,
    hasServer: config.smtpUrl !== undefined,
  }

  async function runJob() {
    await dropUseless()
    // The other jobs do not wait for a slow mail server.
    queue.soon()
  }
  const jobs: Job[] = [{ name: 'send-mails', everyMs: SEND_EVERY_MS, run: runJob }]
  return {
    mailer,
    jobs,
    stop: queue.stop,
    metrics: () => [
      counter('mails_sent_total', 'Mails handed to the mail server or the outbox', counts.sent),
      counter('mails_failed_total', 'Tries that failed and are repeated', counts.failed),
      counter('mails_refused_total', 'Mails that the server refuses for good', counts.refused),
      counter('mails_expired_total', 'Mails that were not sent in time', counts.expired),
      counter('mails_replaced_total', 'Mails that a newer one took the place of', counts.replaced),
      counter('mails_dropped_total', 'Mails over a limit or without room', counts.dropped),
    ],
  }
}

/** After this time such a letter would be useless. */
const LETTER_LIFE_MS = 7 * DAY_MS

/** An address that is not proved may be a stranger's: its letter has no names and no addresses. */
export type LetterContext = {
  emailVerified: boolean
  publicUrl: string
  /** The workspace that it is about, if it isn't the reader's own */
  workspaceId?: WorkspaceId | undefined
}

/** Mails the owner of a workspace, in the transaction of what the letter says. Returns false as `Mailer.queue` does. */
export type MailOwner = (
  tx: Tx,
  workspaceId: WorkspaceId,
  kind: string,
  write: (context: LetterContext) => Letter,
) => Promise<boolean>

type OwnerDeps = {
  mailer: Mailer
  publicUrl: string
  contactOf: (
    db: Db,
    id: WorkspaceId,
  ) => Promise<{ id: PersonId; email: string; emailVerified: boolean }>
}

export const ownerMailer =
  ({ mailer, publicUrl, contactOf }: OwnerDeps): MailOwner =>
  async (tx, account, kind, write) => {
    const { id: personId, email: to, emailVerified } = await contactOf(tx, account)
    const workspaceId = await unlessOwn(tx, { personId, workspaceId: account })
    const letter = write({ emailVerified, publicUrl, workspaceId })
    return mailer.queue(tx, { kind, to, account, letter, lifeMs: LETTER_LIFE_MS })
  }
