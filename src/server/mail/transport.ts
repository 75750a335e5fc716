import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import { CLAIM_MS, type WaitingMail } from './mails-store.ts'

/** Hands a mail over. @throws the error of the mail server; `isRefused` decides whether to try again */
export type Send = (mail: WaitingMail, signal: AbortSignal) => Promise<void>

export type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>

/** Each is a part of the next: what takes longer than the claim, another process would send too. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const SEND_MAX_MS = CLAIM_MS / 2

/** Sends by the mail server of SMTP_URL, or into files in DATA_DIR/outbox without one. */
export function mailTransport(config: MailSettings): Send {
  let loaded: Promise<Transporter> | undefined
  // Takes megabytes, so it is loaded at the first mail.
  const transporter = () => {
    loaded ??= import('nodemailer').then(({ createTransport }) =>
      config.smtpUrl
        ? createTransport({ url: config.smtpUrl, ...TIMEOUTS })
        : createTransport({ streamTransport: true, buffer: true }),
    )
    return loaded
  }
  return async (mail, stopped) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(SEND_MAX_MS)])
    const sent = await (await transporter()).sendMail({ ...message(mail, config), signal })
    if (!config.smtpUrl) await putInOutbox(config.dataDir, mail, sent.message as Buffer)
  }
}

/** Connects to the mail server and signs in; no mail is sent. @throws the error of the mail server */
export async function greetMailServer(smtpUrl: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  await createTransport({ url: smtpUrl, ...TIMEOUTS }).verify()
}

/** The same mail always has the same Message-ID, so that a repeated one shows once in most mailboxes. */
function message(
  mail: WaitingMail,
  { mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>,
): SendMailOptions {
  const { recipient, subject, text, html, unsubscribe } = mail
  return {
    from: mailFrom,
    to: { name: '', address: recipient },
    subject,
    text,
    html,
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

type Fault = { code?: string; responseCode?: number; command?: string; response?: string }

/**
 * Whether the server will never take this mail (RFC 5321 §4.2.1: 5yz to its recipient or its data), so
 * that another try is useless. An operator mends its other refusals (greeting, sign-in, sender).
 */
export function isRefused(error: unknown): boolean {
  const { code, responseCode = 0, command } = error as Fault
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  return command === 'API' || (responseCode >= 500 && command !== 'MAIL FROM')
}

const RESPONSE_MAX = 300

/** The parts of a failure that are logged. A server may quote the mail, whose links are secret. */
export function faultOf(error: unknown) {
  const { code, responseCode, command, response } = error as Fault
  const said = response ?? (error as Error).message ?? ''
  const answer = said.replaceAll(/\S*(:\/\/|#)\S*/g, '[…]').slice(0, RESPONSE_MAX)
  return { code, responseCode, command, answer }
}

/** Most files; the oldest are removed. */
const FILES_MAX = 1_000

/** Writes a mail as an .eml file, which mail programs open. Its name begins with its instant. */
export async function putInOutbox(dataDir: string, mail: WaitingMail, message: Buffer) {
  const folder = join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instant = new Date(mail.created_at).toISOString().replaceAll(':', '-')
  const file = join(folder, `${instant}-${mail.kind}-${mail.id}.eml`)
  // It gets its name when it is complete: a reader never finds half a mail.
  await writeFile(`${file}.part`, message, { mode: 0o600 })
  await rename(`${file}.part`, file)
  const files = (await readdir(folder)).sort()
  const surplus = files.slice(0, Math.max(0, files.length - FILES_MAX))
  await Promise.all(surplus.map((name) => rm(join(folder, name), { force: true })))
}
