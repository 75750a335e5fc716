import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Bytes that a reader may leave unread, besides those that the system keeps for it. */
export const UNREAD_MAX = 64 * 1024

/** For a reader that does not read to its end */
const END_PATIENCE_MS = 500

/** Browsers that a stop has cut off come back spread over some seconds. */
const RETRY_MIN_MS = 1_000
const RETRY_SPREAD_MS = 4_000

export type StreamEvent = { event: 'beat' | 'scans' | 'reset' | 'end'; id: string; data?: object }

/** An answer that goes on: text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  readonly #response: ServerResponse

  constructor(response: ServerResponse, onGone: () => void) {
    this.#response = response
    response.once('close', onGone)
    // A broken connection is gone, and 'close' says so.
    response.on('error', () => {})
  }

  begin(headers: OutgoingHttpHeaders) {
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // No proxy may compress it or keep it back; nginx has a header of its own for that.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    const retry = RETRY_MIN_MS + Math.round(Math.random() * RETRY_SPREAD_MS)
    this.#response.write(`retry: ${retry}\n\n`)
  }

  /** Answers false for a reader that does not read: it is let go. */
  send(text: string): boolean {
    if (this.#response.writableEnded) return true
    if (this.#response.writableLength > UNREAD_MAX) {
      this.#response.destroy()
      return false
    }
    this.#response.write(text)
    return true
  }

  /** Nobody waits for long until it is read. */
  end(text = '') {
    if (this.#response.writableEnded) return
    this.#response.end(text)
    setTimeout(() => this.#cut(), END_PATIENCE_MS).unref()
  }

  #cut() {
    if (!this.#response.writableFinished) this.#response.destroy()
  }
}

export const textOf = ({ event, id, data }: StreamEvent) =>
  `event: ${event}\nid: ${id}\ndata: ${data ? JSON.stringify(data) : ''}\n\n`
