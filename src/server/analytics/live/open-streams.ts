import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ChangedEvent } from '#contract/analytics/figures.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { openAtOnce } from '../../http/limits/limits.ts'

/** Bytes that a reader may leave unread, besides those that the system keeps for it. */
const UNREAD_MAX = 64 * 1024

/** For a reader that does not read to its end */
const END_PATIENCE_MS = 500

/** Browsers that a stop has cut off come back spread over some seconds. */
const RETRY_MIN_MS = 1_000
const RETRY_SPREAD_MS = 4_000

/** An answer that goes on: text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
class EventStream {
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

  /** Sends to the reader. Returns false for one that does not read: its connection is closed. */
  send(text: string): boolean {
    if (this.#response.writableEnded) return true
    if (this.#response.writableLength > UNREAD_MAX) {
      this.#response.destroy()
      return false
    }
    this.#response.write(text)
    return true
  }

  /** Ends the answer, and cuts off a reader that does not read it soon. */
  end(text = '') {
    if (this.#response.writableEnded) return
    this.#response.end(text)
    setTimeout(() => this.#cut(), END_PATIENCE_MS).unref()
  }

  #cut() {
    if (!this.#response.writableFinished) this.#response.destroy()
  }
}

export const textOf = (event: 'beat' | 'changed' | 'end', data?: ChangedEvent) =>
  `event: ${event}\ndata: ${data ? JSON.stringify(data) : ''}\n\n`

/** After this time a refused reader may try again. */
const RETRY_AFTER_S = 60

type OpenLimit = (typeof openAtOnce)[keyof typeof openAtOnce]

/** How many are open at the same time, of each owner and together. */
class OpenPlaces {
  readonly #limit: OpenLimit
  readonly #open = new Map<string, number>()
  #all = 0

  constructor(limit: OpenLimit) {
    this.#limit = limit
  }

  /** @throws AppError rate_limited where its owner has too many open, busy where all together have */
  check(owner: string) {
    if (this.#all >= this.#limit.atOnce) throw new AppError('busy')
    if ((this.#open.get(owner) ?? 0) < this.#limit.atOnceEach) return
    throw tryAgainIn(RETRY_AFTER_S, 'rate_limited')
  }

  take(owner: string) {
    this.#all++
    this.#open.set(owner, (this.#open.get(owner) ?? 0) + 1)
  }

  leave(owner: string) {
    this.#all--
    const left = (this.#open.get(owner) ?? 0) - 1
    if (left > 0) this.#open.set(owner, left)
    else this.#open.delete(owner)
  }
}

/** A stream ends after this time, and its browser asks for another one, which may be refused then. */
const LIFE_MS = HOUR_MS

/** The reader of a stream */
export type Reader = {
  workspaceId: WorkspaceId
  /** Null in the live demo, which has no session */
  sessionId: string | null
  address: string
}

export type SseResponse = { response: ServerResponse; headers: OutgoingHttpHeaders }

export type OpenStream = { reader: Reader; events: EventStream; endsAt: number }

/** The streams that are open in this process, by account. */
export class OpenStreams {
  readonly #byAccount = new Map<string, Set<OpenStream>>()
  readonly #ofAccounts = new OpenPlaces(openAtOnce['account-streams'])
  readonly #ofAddresses = new OpenPlaces(openAtOnce['address-streams'])
  size = 0
  opened = 0
  refused = 0
  letGo = 0

  /** @throws AppError rate_limited, busy */
  check(reader: Reader) {
    try {
      this.#ofAddresses.check(reader.address)
      // The demo is one account, which all visitors share.
      if (reader.sessionId !== null) this.#ofAccounts.check(reader.workspaceId)
    } catch (error) {
      this.refused++
      throw error
    }
  }

  open(reader: Reader, { response, headers }: SseResponse): OpenStream {
    const { workspaceId, sessionId, address } = reader
    const events = new EventStream(response, () => this.#remove(stream))
    const stream: OpenStream = { reader, events, endsAt: performance.now() + LIFE_MS }
    this.opened++
    this.size++
    this.#ofAddresses.take(address)
    if (sessionId !== null) this.#ofAccounts.take(workspaceId)
    const own = this.#byAccount.get(workspaceId) ?? new Set()
    own.add(stream)
    this.#byAccount.set(workspaceId, own)
    events.begin(headers)
    return stream
  }

  of(workspaceId: WorkspaceId): Iterable<OpenStream> {
    return this.#byAccount.get(workspaceId) ?? []
  }

  *all(): Generator<OpenStream> {
    for (const own of this.#byAccount.values()) yield* own
  }

  send({ events }: OpenStream, text: string) {
    if (!events.send(text)) this.letGo++
  }

  #remove(stream: OpenStream) {
    const { workspaceId, sessionId, address } = stream.reader
    const own = this.#byAccount.get(workspaceId)
    if (!own?.delete(stream)) return
    if (own.size === 0) this.#byAccount.delete(workspaceId)
    this.size--
    this.#ofAddresses.leave(address)
    if (sessionId !== null) this.#ofAccounts.leave(workspaceId)
  }
}
