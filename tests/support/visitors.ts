import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

type Init = { method?: string; agent?: Agent; headers?: Record<string, string>; body?: string }

/** One request as a phone would send it: the path unchanged, no redirect followed. */
export function visit(url: string, { method = 'GET', agent, headers = {}, body }: Init = {}) {
  const { hostname, port } = new URL(url)
  // URL would change the path; we send what was printed.
  const path = url.slice(url.indexOf('/', 'http://'.length))
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, agent, headers: { 'user-agent': IPHONE, ...headers } },
      (response) => {
        const { statusCode: status = 0, headers } = response
        text(response).then((body) => resolve({ status, headers, body }), reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Scans by distinct visitors, a few at a time, until `stop`. It records which visitors got a redirect. */
export class Crowd {
  readonly answered: string[] = []
  /** How long each of them waited, in milliseconds. */
  readonly times: number[] = []
  readonly faults: string[] = []
  sent = 0
  #agent = new Agent({ keepAlive: true })
  #stopped = false
  #walkers: Promise<void>[] = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** Scans these codes in turn, with `atOnce` requests at a time. */
  start(urls: string[], atOnce = 16) {
    this.#walkers = Array.from({ length: atOnce }, () => this.#walk(urls))
  }

  /** Whether a User-Agent is that of one of these visitors. */
  includes(who: string): boolean {
    return who.startsWith(`${IPHONE} ${this.#name}/`)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#walkers)
    this.#agent.destroy()
  }

  async #walk(urls: string[]) {
    while (!this.#stopped) {
      const number = this.sent++
      const who = `${IPHONE} ${this.#name}/${number}`
      const url = urls[number % urls.length] as string
      const asked = performance.now()
      try {
        const { status } = await visit(url, { agent: this.#agent, headers: { 'user-agent': who } })
        if (status === 302) {
          this.answered.push(who)
          this.times.push(performance.now() - asked)
        } else this.faults.push(`${status} ${url}`)
      } catch (error) {
        // The server may be killed.
        this.faults.push((error as Error).message)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
}
