import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ChangedEvent } from '#contract/analytics/figures.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { openAtOnce } from '../../http/limits/limits.ts'

/** Bytes that a reader may leave unread, besides those that the system keeps for it. */
const UNREAD_MAX = 64 * 1024

/** For a reader that does not read to its end */
const END_PATIENCE_MS = 500

/** Browsers that a stop has cut off come back spread over some seconds. */
const RETRY_MIN_MS = 1_000
const RETRY_SPREAD_MS = 4_000

export const textOf = (event: 'beat' | 'changed' | 'end', data?: ChangedEvent) =>
  `event: ${event}\ndata: ${data ? JSON.stringify(data) : ''}\n\n`

/** After this time a refused reader may try again. */
const RETRY_AFTER_S = 60

type OpenLimit = (typeof openAtOnce)[keyof typeof openAtOnce]

/** A stream ends after this time, and its browser asks for another one, which may be refused then. */
const LIFE_MS = HOUR_MS

/** The reader of a stream */
export type Reader = {
  workspaceId: WorkspaceId
  personId: PersonId
  /** Null in the live demo, which has no session */
  sessionId: string | null
  address: string
}

export type SseResponse = { response: ServerResponse; headers: OutgoingHttpHeaders }

export type OpenStream = { reader: Reader; response: ServerResponse; endsAt: number }

/**
 * The streams that are open in this process, by account: answers of text/event-stream that go on
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export class OpenStreams {
  readonly #byAccount = new Map<string, Set<OpenStream>>()
  size = 0
  opened = 0
  refused = 0
  letGo = 0

  /** @throws AppError rate_limited, busy */
  check(reader: Reader) {
    let ofAddress = 0
    for (const { reader: other } of this.all()) if (other.address === reader.address) ofAddress++
    this.#checkOne(openAtOnce['address-streams'], ofAddress)
    // The demo is one account, which all visitors share.
    if (reader.sessionId === null) return
    this.#checkOne(
      openAtOnce['account-streams'],
      [...this.of(reader.workspaceId)].filter((other) => other.reader.personId === reader.personId)
        .length,
    )
  }

  #checkOne({ atOnce, atOnceEach }: OpenLimit, open: number) {
    if (this.size < atOnce && open < atOnceEach) return
    this.refused++
    throw this.size < atOnce ? tryAgainIn(RETRY_AFTER_S, 'rate_limited') : new AppError('busy')
  }

  open(reader: Reader, { response, headers }: SseResponse): OpenStream {
    const { workspaceId } = reader
    const stream = { reader, response, endsAt: performance.now() + LIFE_MS }
    response.once('close', () => this.#remove(stream))
    // A broken connection is gone, and 'close' says so.
    response.on('error', () => {})
    this.opened++
    this.size++
    const own = this.#byAccount.get(workspaceId) ?? new Set()
    own.add(stream)
    this.#byAccount.set(workspaceId, own)
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // No proxy may compress it or keep it back; nginx has a header of its own for that.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    const retry = RETRY_MIN_MS + Math.round(Math.random() * RETRY_SPREAD_MS)
    response.write(`retry: ${retry}\n\n`)
    return stream
  }

  of(workspaceId: WorkspaceId): Iterable<OpenStream> {
    return this.#byAccount.get(workspaceId) ?? []
  }

  *all(): Generator<OpenStream> {
    for (const own of this.#byAccount.values()) yield* own
  }

  /** The connection of a reader that does not read is closed. */
  send({ response }: OpenStream, text: string) {
    if (response.writableEnded) return
    if (response.writableLength <= UNREAD_MAX) response.write(text)
    else {
      response.destroy()
      this.letGo++
    }
  }

  /** Ends the answer, and cuts off a reader that does not read it soon. */
  end({ response }: OpenStream, text = '') {
    if (response.writableEnded) return
    response.end(text)
    const cut = () => response.writableFinished || response.destroy()
    setTimeout(cut, END_PATIENCE_MS).unref()
  }

  #remove(stream: OpenStream) {
    const { workspaceId } = stream.reader
    const own = this.#byAccount.get(workspaceId)
    if (!own?.delete(stream)) return
    if (own.size === 0) this.#byAccount.delete(workspaceId)
    this.size--
  }
}
