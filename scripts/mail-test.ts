/**
 * `npm run mail:test -- you@example.com`: sends one mail with the server's settings and says what came
 * of it. It touches no database.
 */

import { randomUUID } from 'node:crypto'
import { z } from '../src/contract/zod.ts'
import { type Config, ConfigError, readConfig } from '../src/server/config.ts'
import { type Letter, writeLetter } from '../src/server/mail/mail-template.ts'
import { faultOf, mailTransport } from '../src/server/mail/transport.ts'
import { fail } from './command.ts'

const HOUR_MS = 60 * 60 * 1000

function letterOf({ publicUrl }: Config): Letter {
  return {
    subject: 'Mails from Tessera arrive',
    paragraphs: ['This is a test. If you can read it, the settings of your server are right.'],
    button: { label: 'Open Tessera', url: publicUrl },
    notes: ['Is it in your spam folder? Then look at the SPF and DKIM records of its domain.'],
  }
}

async function sendTo(recipient: string): Promise<string> {
  const config = readConfig(process.env)
  const letter = letterOf(config)
  const now = Date.now()
  const mail = {
    id: randomUUID(),
    kind: 'test',
    recipient,
    subject: letter.subject,
    unsubscribe: null,
    ...writeLetter(letter, config.publicUrl),
    priority: 0,
    created_at: now,
    expires_at: now + HOUR_MS,
    attempts: 1,
    next_at: now,
  }
  await mailTransport(config)(mail, new AbortController().signal)
  if (config.smtpUrl) {
    return `${new URL(config.smtpUrl).host} took a mail from ${config.mailFrom} to ${recipient}.`
  }
  return `SMTP_URL is not set, so the mail is a file in ${config.dataDir}/outbox.`
}

const [recipient] = process.argv.slice(2)
if (!z.email().safeParse(recipient).success)
  fail('Say to whom: npm run mail:test -- you@example.com')
try {
  console.log(await sendTo(String(recipient)))
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  const { code, command, answer } = faultOf(error)
  fail(`The mail was not sent: ${[answer, code, command].filter(Boolean).join(', ')}`)
}
