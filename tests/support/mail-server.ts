import { EventEmitter, once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { STEP_LIMIT_MS } from './limits.ts'
import { isTo } from './outbox.ts'

/** The server's answer to a mail's recipient or, once it has the mail, to its end */
type Answer = 'take' | 'hold' | { code: number; text: string }

/** The one that the server takes; it also takes mails without any. */
export const GOOD_PASSWORD = 'geheim'

/** A mail server on loopback that is as difficult as a test wants. */
export class MailServer {
  /** Mails that came whole, whatever they were answered. */
  readonly received: ParsedMail[] = []
  /** Tries to send, by recipient. */
  readonly tried: string[] = []
  toRecipient: Answer = 'take'
  toMail: Answer = 'take'
  #held = Promise.withResolvers<void>()
  readonly #news = new EventEmitter()
  readonly #sockets = new Set<Socket>()
  readonly #server: SMTPServer

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      closeTimeout: 1,
      logger: false,
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        if (password === GOOD_PASSWORD) done(null, { user: 'tessera' })
        else done(new Error('Wrong password'))
      },
      onRcptTo: ({ address }, _session, done) => {
        this.tried.push(address)
        void this.#answer(this.toRecipient, done)
      },
      onData: (stream, _session, done) => void this.#take(stream, done),
    })
    this.#server.on('error', () => {})
    this.#server.server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(port = 0): Promise<MailServer> {
    const own = new MailServer()
    own.#server.listen(port, '127.0.0.1')
    await once(own.#server.server, 'listening')
    return own
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  /** For a service that sends by this server. */
  get environment() {
    return { SMTP_URL: `smtp://127.0.0.1:${this.port}`, MAIL_FROM: 'Tessera <qr@tessera.example>' }
  }

  /** Lets all go that is held, now and later. */
  letGo() {
    this.#held.resolve()
    this.toRecipient = 'take'
    this.toMail = 'take'
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((done) => this.#server.close(done))
  }

  mailsTo(email: string): ParsedMail[] {
    return this.received.filter((mail) => isTo(mail, email))
  }

  subjectsTo(email: string) {
    return this.mailsTo(email).map(({ subject }) => subject)
  }

  /** Waits for a mail after the `after` mails that came before. */
  async mailTo(email: string, subject: string, after = 0): Promise<ParsedMail> {
    const signal = AbortSignal.timeout(STEP_LIMIT_MS)
    for (;;) {
      const found = this.mailsTo(email).filter((mail) => mail.subject === subject)[after]
      if (found) return found
      await once(this.#news, 'mail', { signal })
    }
  }

  /** Waits for a mail, and takes the token out of its link. */
  async tokenTo(email: string, subject: string, after = 0): Promise<string> {
    return tokenIn(await this.mailTo(email, subject, after))
  }

  async #take(stream: SMTPServerDataStream, done: (error?: Error | null) => void) {
    this.received.push(await simpleParser(stream))
    this.#news.emit('mail')
    await this.#answer(this.toMail, done)
  }

  async #answer(answer: Answer, done: (error?: Error | null) => void) {
    if (answer === 'hold') await this.#held.promise
    if (typeof answer === 'string') done()
    else done(Object.assign(new Error(answer.text), { responseCode: answer.code }))
  }
}

/** The secret part of a mail's link. */
export function tokenIn({ text = '' }: ParsedMail): string {
  const token = /#([\w-]{43})/.exec(text)?.[1]
  if (!token) throw new Error(`no link in:\n${text}`)
  return token
}
