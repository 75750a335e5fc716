import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { listen } from './free-port.ts'
import { STEP_LIMIT_MS } from './limits.ts'

/** A call that came: its body, read, and the secrets that signed it. */
export type Received = {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  signedBy: string[]
}

/** A server that takes webhooks, and checks who signed them as the specification says. */
export class WebhookReceiver {
  readonly url: string
  /** The calls that got a good status, in their order */
  readonly received: Received[] = []
  /** All calls, by the header webhook-id */
  readonly tried: string[] = []
  secrets: string[] = []
  /** The status of each answer, and a word about it */
  answer: (event: Received) => number = () => 204
  /** Headers of each answer */
  headers: Record<string, string> = {}
  mostUnderWay = new Map<string, number>()
  readonly #close: () => Promise<void>

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url
    this.#close = close
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer(async (request, response) => {
      const event = receiver.#read(request.headers, await text(request))
      receiver.tried.push(event.id)
      const now = (receiver.atOnce.get(event.id) ?? 0) + 1
      receiver.atOnce.set(event.id, now)
      receiver.mostUnderWay.set(event.id, Math.max(now, receiver.mostUnderWay.get(event.id) ?? 0))
      setImmediate(() => {
        receiver.atOnce.set(event.id, (receiver.atOnce.get(event.id) ?? 1) - 1)
        const status = receiver.answer(event)
        if (status < 300) receiver.received.push(event)
        const location = status === 302 && { location: receiver.url }
        response.writeHead(status, { ...location, ...receiver.headers })
        response.end(status === 204 ? undefined : `I answer ${status}`)
      })
    })
    const port = await listen(server)
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    const receiver = new WebhookReceiver(`http://127.0.0.1:${port}/hook`, close)
    return receiver
  }

  readonly atOnce = new Map<string, number>()

  stop() {
    return this.#close()
  }

  /** Waits for this number of calls with a good status; returns them. */
  async events(count: number): Promise<Received[]> {
    const end = Date.now() + STEP_LIMIT_MS
    while (this.received.length < count && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const came = this.received.map(({ type }) => type)
    if (came.length !== count) throw new Error(`${came.length} events instead of ${count}: ${came}`)
    return this.received
  }

  #read(headers: IncomingHttpHeaders, body: string): Received {
    const [id, seconds] = [`${headers['webhook-id']}`, Number(headers['webhook-timestamp'])]
    const signatures = `${headers['webhook-signature']}`.split(' ')
    const signedBy = this.secrets.filter((secret) =>
      signatures.includes(new Webhook(secret).sign(id, new Date(seconds * 1000), body)),
    )
    return { id, ...JSON.parse(body), signedBy }
  }
}
