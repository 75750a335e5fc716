import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { STEP_LIMIT_MS } from './limits.ts'

export type Told = { event: string; id: string; data: string }

/**
 * Reads these bytes as a browser's EventSource does (HTML Standard, 9.2.6): returns the events that
 * it dispatches, and the id from which it would go on.
 */
export function read(bytes: Buffer): { told: Told[]; lastId: string } {
  const told: Told[] = []
  let [event, id, lastId, data] = ['', '', '', [] as string[]]
  const lines = bytes.toString('utf8').split('\n')
  // The text after the last line's end is not a whole line yet.
  for (const line of lines.slice(0, -1)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (line === '') {
      lastId = id
      if (data.length > 0) told.push({ event: event || 'message', id, data: data.join('\n') })
      event = ''
      data = []
    } else if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
  return { told, lastId }
}

type Options = { cookie: string; query?: string; lastEventId?: string; from?: string }

/** A stream over a connection of its own. */
export class EventReader {
  readonly #request: ClientRequest
  readonly response: Promise<IncomingMessage>
  readonly ended: Promise<void>
  #parts: Buffer[] = []
  #hasEnded = false
  #wake = () => {}

  constructor(origin: string, { cookie, query = '', lastEventId, from }: Options) {
    const headers = {
      cookie,
      accept: 'text/event-stream',
      ...(lastEventId && { 'last-event-id': lastEventId }),
      ...(from && { 'x-forwarded-for': from }),
    }
    const url = `${origin}/api/analytics/stream${query}`
    let end = () => {}
    this.ended = new Promise((resolve) => {
      end = () => {
        this.#hasEnded = true
        this.#wake()
        resolve()
      }
    })
    this.#request = get(url, { headers, agent: false })
    this.response = new Promise((resolve, reject) => {
      this.#request.once('response', (response) => {
        response.on('data', (part: Buffer) => {
          this.#parts.push(part)
          this.#wake()
        })
        response.once('close', end).on('error', () => {})
        resolve(response)
      })
      this.#request.once('error', (error) => {
        end()
        reject(error)
      })
    })
    this.response.catch(() => {})
  }

  get bytes(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)]
    return this.#parts[0] ?? Buffer.alloc(0)
  }

  get told(): Told[] {
    return read(this.bytes).told
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The codes that events named so far. */
  get codes(): string[] {
    return this.told
      .filter(({ event }) => event === 'scans')
      .flatMap(({ data }) => JSON.parse(data).codes)
  }

  async status(): Promise<number> {
    return (await this.response).statusCode ?? 0
  }

  /** Waits until what has come is so. */
  async until(isSo: (told: Told[]) => boolean): Promise<void> {
    const limit = Date.now() + STEP_LIMIT_MS
    while (!isSo(this.told)) {
      const left = limit - Date.now()
      if (this.#hasEnded || left <= 0) {
        throw new Error(`${left <= 0 ? 'not in time' : 'ended'}: ${this.bytes}`)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** Waits until it has been told where it begins. */
  async begun(): Promise<this> {
    await this.until((told) => told.length > 0)
    return this
  }

  async names(code: string, times = 1): Promise<void> {
    await this.until(() => this.codes.filter((each) => each === code).length >= times)
  }

  close() {
    this.#request.destroy()
  }
}
