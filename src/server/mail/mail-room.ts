import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import { type Letter, writeLetter } from './mail-template.ts'
import { claimMails, queueMail, removeMail, tryMailLater, type WaitingMail } from './mails-store.ts'
import { isRefused, mailTransport } from './transport.ts'

const SEND_EVERY_MS = 30_000
const BATCH = 20

type Deps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>
}

/** A letter on its way. */
export type Outgoing = {
  /** What it is about, for logs and figures, such as `reset-password` */
  kind: string
  to: string
  letter: Letter
  /** After so long it is useless and is dropped */
  lifeMs: number
}

/** What other rooms need to send a mail. */
export type Mailer = {
  /** Puts a mail into the queue, in the transaction of what it tells. @returns false if the queue is full */
  queue: (db: Db, mail: Outgoing) => Promise<boolean>
  /** Sends what was queued. Call it after the commit; it never throws. */
  soon: () => void
  /** Whether mails leave this server */
  hasServer: boolean
}

/**
 * Sends the mails that wait in the database: at once in the process that queued one (`soon`), and by
 * a job what a stop or a failure left. A mail that a crash interrupts may go out twice, never not at all.
 */
export function mailRoom({ db, clock, log, config }: Deps) {
  const transport = mailTransport(config)
  const counts = { sent: 0, failed: 0, refused: 0 }
  let sending: Promise<void> | undefined
  let isAskedAgain = false
  let isStopped = false

  async function send(mail: WaitingMail) {
    const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts }
    try {
      await transport.send(mail)
      counts.sent++
      await removeMail(db, mail.id)
    } catch (error) {
      if (isRefused(error)) {
        counts.refused++
        log.warn({ ...about, err: error }, 'the mail server refuses a mail; it is dropped')
        return removeMail(db, mail.id)
      }
      counts.failed++
      log.warn({ ...about, err: error }, 'mail not sent; it is tried again')
      await tryMailLater(db, mail, clock())
    }
  }

  async function sendDue() {
    do {
      isAskedAgain = false
      for (;;) {
        const mails = isStopped ? [] : await claimMails(db, clock(), BATCH)
        if (mails.length === 0) break
        await Promise.all(mails.map(send))
      }
    } while (isAskedAgain && !isStopped)
  }

  function sendNow(): Promise<void> {
    isAskedAgain = true
    sending ??= sendDue().finally(() => {
      sending = undefined
    })
    return sending
  }

  const mailer: Mailer = {
    queue: (db, { kind, to, letter, lifeMs }) => {
      const now = clock()
      const texts = { subject: letter.subject, ...writeLetter(letter, config.publicUrl) }
      const unsubscribe = letter.unsubscribe ?? null
      const expiresAt = now.getTime() + lifeMs
      return queueMail(db, { kind, recipient: to, ...texts, unsubscribe, expiresAt }, now)
    },
    soon: () => void sendNow().catch((error) => log.warn({ err: error }, 'mails wait')),
    hasServer: config.smtpUrl !== undefined,
  }

  const jobs: Job[] = [{ name: 'send-mails', everyMs: SEND_EVERY_MS, run: sendNow }]
  return {
    mailer,
    jobs,
    /** Ends after the mails under way. */
    stop: async () => {
      isStopped = true
      await sending?.catch(() => {})
      transport.close()
    },
    metrics: () => [
      metric('mails_sent_total', 'Mails handed to the mail server or the outbox', counts.sent),
      metric('mails_failed_total', 'Tries that failed and are repeated', counts.failed),
      metric('mails_refused_total', 'Mails that the server refuses for good', counts.refused),
    ],
  }
}

const metric = (name: string, help: string, value: number) => ({
  ...{ name: `tessera_${name}`, help, value },
  type: 'counter' as const,
})
