import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { ChangedEvent } from '../../src/contract/analytics/figures.ts'
import { STEP_LIMIT_MS } from './limits.ts'

export type StreamEvent = { event: string; data: string }

/** Returns the events that a browser's EventSource dispatches for these bytes (HTML Standard, 9.2.6). */
function read(bytes: Buffer): StreamEvent[] {
  const events: StreamEvent[] = []
  let [event, data] = ['', [] as string[]]
  const lines = bytes.toString('utf8').split('\n')
  // The text after the last line's end is not a whole line yet.
  for (const line of lines.slice(0, -1)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n') })
      event = ''
      data = []
    } else if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
  return events
}

type Options = { cookie: string; from?: string }

/** A stream over a connection of its own. */
export class EventReader {
  readonly #request: ClientRequest
  readonly response: Promise<IncomingMessage>
  readonly ended: Promise<void>
  #parts: Buffer[] = []
  #hasEnded = false
  #wake = () => {}

  constructor(origin: string, { cookie, from }: Options) {
    const headers = {
      cookie,
      accept: 'text/event-stream',
      ...(from && { 'x-forwarded-for': from }),
    }
    const url = `${origin}/api/analytics/stream`
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

  get events(): StreamEvent[] {
    return read(this.bytes)
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The codes that each news named so far; null for all codes */
  get news(): (string[] | null)[] {
    return this.events
      .filter(({ event }) => event === 'changed')
      .map(({ data }) => (JSON.parse(data) as ChangedEvent).codes)
  }

  /** The codes that were named so far */
  get codes(): string[] {
    return this.news.flatMap((codes) => codes ?? [])
  }

  async status(): Promise<number> {
    return (await this.response).statusCode ?? 0
  }

  /** Waits until what has come is so. */
  async until(isSo: () => boolean): Promise<void> {
    const limit = Date.now() + STEP_LIMIT_MS
    while (!isSo()) {
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

  /** Waits for the first event. */
  async begun(): Promise<this> {
    await this.until(() => this.events.length > 0)
    return this
  }

  async names(code: string, times = 1): Promise<void> {
    await this.until(() => this.codes.filter((each) => each === code).length >= times)
  }

  close() {
    this.#request.destroy()
  }
}
