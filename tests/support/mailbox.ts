import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { expect } from 'vitest'
import { waitingMails } from '../../src/server/mail/mails-store.ts'
import { eventually } from './ledger.ts'
import { STEP_LIMIT_MS } from './limits.ts'
import type { Service } from './service.ts'

type Mailbox = { dataDir: string }

/** The mails to an address that a service without a mail server has written, oldest first. */
export async function mailsTo({ dataDir }: Mailbox, email: string): Promise<ParsedMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    files.map(async (name) => simpleParser(await readFile(join(folder, name)))),
  )
  return mails.filter(({ to }) => to && !Array.isArray(to) && to.text.includes(email))
}

/** Waits until every mail is sent that was queued: one that waits for long is dropped. */
export async function allSent({ database }: Pick<Service, 'database'>): Promise<void> {
  await eventually(async () => (await waitingMails(database.db)) === 0)
}

export async function subjectsTo(mailbox: Mailbox, email: string) {
  return (await mailsTo(mailbox, email)).map(({ subject }) => subject)
}

/** Waits for a mail with this subject and returns its text. */
export async function mailTo(mailbox: Mailbox, email: string, subject: string): Promise<string> {
  const find = async () =>
    (await mailsTo(mailbox, email)).findLast((mail) => mail.subject === subject)?.text
  await expect.poll(find, { timeout: STEP_LIMIT_MS }).toBeDefined()
  return (await find()) ?? ''
}
