import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import type { WaitingMail } from './mails-store.ts'
import { putInOutbox } from './outbox.ts'

/** Hands a mail over. @throws what the mail server says; `isRefused` tells whether to try again */
export type Transport = { send: (mail: WaitingMail) => Promise<void>; close: () => void }

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000

/** The mail server of SMTP_URL, or files in DATA_DIR/outbox without one. */
export function mailTransport(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>,
): Transport {
  let loaded: Promise<Transporter> | undefined
  // Takes megabytes, so it is loaded at the first mail.
  const transporter = () => {
    loaded ??= import('nodemailer').then(({ createTransport }) =>
      config.smtpUrl
        ? createTransport(config.smtpUrl, timeouts)
        : createTransport({ streamTransport: true, buffer: true }),
    )
    return loaded
  }
  return {
    send: async (mail) => {
      const sent = await (await transporter()).sendMail(message(mail, config))
      if (!config.smtpUrl) await putInOutbox(config.dataDir, mail, sent.message as Buffer)
    },
    close: () => void loaded?.then((mailer) => mailer.close()),
  }
}

const timeouts = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
  pool: true,
  maxConnections: 2,
} as object

/** The same mail always has the same Message-ID, so that a repeated one shows once in most mailboxes. */
function message(
  mail: WaitingMail,
  { mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>,
): SendMailOptions {
  const { recipient, subject, text, html, unsubscribe } = mail
  return {
    ...{ from: mailFrom, to: { name: '', address: recipient }, subject, text, html },
    messageId: `<${mail.id}@${new URL(publicUrl).hostname}>`,
    date: new Date(mail.created_at),
    headers: {
      // Holiday notes and the like need not answer (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Whether the server will never take this mail (RFC 5321 §4.2.1: 5yz), so that another try is useless. */
export function isRefused(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && command !== 'AUTH PLAIN' && command !== 'CONN'
}
