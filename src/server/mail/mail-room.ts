import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import { claimMails, removeMail, tryMailLater, type WaitingMail } from './mails-store.ts'
import { isRefused, mailTransport } from './transport.ts'

const SEND_EVERY_MS = 30_000
const BATCH = 20

type Deps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>
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

  const jobs: Job[] = [{ name: 'send-mails', everyMs: SEND_EVERY_MS, run: sendNow }]
  return {
    jobs,
    /** Sends what was queued. Call it after the commit; it never throws. */
    soon: () => void sendNow().catch((error) => log.warn({ err: error }, 'mails wait')),
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
