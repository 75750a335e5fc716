import type { ParsedMail } from 'mailparser'
import { MailServer } from '../support/mail-server.ts'
import { isTo } from '../support/outbox.ts'
import { test as base, expect } from './fixtures.ts'

/** The link in a mail that opens the sign-in page. */
function linkIn(text: string): string {
  const [link] = /http\S+\/api\/login\?link=\S+/.exec(text) ?? []
  if (!link) throw new Error(`no link in: ${text}`)
  return link
}

/** Tests of a server that has a mail server, and what else its environment has. */
export const withMail = (environment: Record<string, string> = {}) =>
  base.extend<object, { mailServer: MailServer }>({
    mailServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from it
      async ({}, use) => {
        const server = await MailServer.start()
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
    environment: [
      async ({ mailServer }, use) => use({ ...mailServer.environment, ...environment }),
      { scope: 'worker' },
    ],
  })

type Read = () => ParsedMail[] | Promise<ParsedMail[]>

/** Waits until an address has this many mails with a link, and returns the newest link. */
export async function mailedLink(read: Read, to: string, count = 1): Promise<string> {
  const texts = async () =>
    (await read()).filter((mail) => isTo(mail, to)).map(({ text = '' }) => text)
  const withLinks = async () => (await texts()).filter((text) => text.includes('?link='))
  await expect.poll(async () => (await withLinks()).length).toBeGreaterThanOrEqual(count)
  return linkIn((await withLinks()).at(-1) ?? '')
}
