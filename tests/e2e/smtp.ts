import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { isTo } from '../support/outbox.ts'
import { test as base, expect } from './fixtures.ts'

/** A mail server on this machine that takes every mail. */
export type MailServer = { url: string; mails: ParsedMail[]; close: () => Promise<void> }

async function startMailServer(): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      stream.toArray().then(async (chunks) => {
        mails.push(await simpleParser(Buffer.concat(chunks)))
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  return { url: `smtp://127.0.0.1:${port}`, mails, close }
}

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
        const server = await startMailServer()
        await use(server)
        await server.close()
      },
      { scope: 'worker' },
    ],
    environment: [
      async ({ mailServer }, use) => {
        const MAIL_FROM = 'Tessera <codes@example.com>'
        await use({ SMTP_URL: mailServer.url, MAIL_FROM, ...environment })
      },
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
