import { expect } from 'vitest'
import { waitingMails } from '../../src/server/mail/mails-store.ts'
import { eventually } from './ledger.ts'
import { STEP_LIMIT_MS } from './limits.ts'
import { type Mailbox, mailsTo } from './outbox.ts'
import type { Service } from './service.ts'

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
