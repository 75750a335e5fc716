import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A mail server on this machine that takes every mail. */
export type MailServer = { url: string; mails: ParsedMail[]; close: () => Promise<void> }

export async function startMailServer(): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true },
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
export function linkIn(text: string): string {
  const [link] = /http\S+\/api\/login\?link=\S+/.exec(text) ?? []
  if (!link) throw new Error(`no link in: ${text}`)
  return link
}
