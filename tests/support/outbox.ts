import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'

export type Mailbox = { dataDir: string }

/** The mails to an address that a service without a mail server has written, oldest first. */
export async function mailsTo({ dataDir }: Mailbox, email: string): Promise<ParsedMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    files.map(async (name) => simpleParser(await readFile(join(folder, name)))),
  )
  return mails.filter((mail) => isTo(mail, email))
}

export const isTo = ({ to }: ParsedMail, email: string): boolean =>
  to !== undefined && !Array.isArray(to) && to.text.includes(email)
