import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { HOUR_MS } from '#contract/time.ts'
import { openAtOnce } from '../../http/limits/limits.ts'
import { EventStream } from './event-stream.ts'
import { OpenPlaces } from './open-places.ts'

/** A stream ends after so long, and its browser asks for another one: by then it may not be allowed to. */
const LIFE_MS = HOUR_MS

/** Who has a stream. */
export type Reader = {
  userId: string
  /** Null for who looks at the live demo, which is no session */
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
  #size = 0
  opened = 0
  refused = 0
  letGo = 0

  get size(): number {
    return this.#size
  }

  /** @throws AppError rate_limited, busy */
  check(reader: Reader) {
    try {
      this.#ofAddresses.check(reader.address)
      // The demo is one account, and anybody's.
      if (reader.sessionId !== null) this.#ofAccounts.check(reader.userId)
    } catch (error) {
      this.refused++
      throw error
    }
  }

  open(reader: Reader, { response, headers }: SseResponse): OpenStream {
    const { userId, sessionId, address } = reader
    const events = new EventStream(response, () => this.#remove(stream))
    const stream: OpenStream = { reader, events, endsAt: performance.now() + LIFE_MS }
    this.opened++
    this.#size++
    this.#ofAddresses.take(address)
    if (sessionId !== null) this.#ofAccounts.take(userId)
    const own = this.#byAccount.get(userId) ?? new Set()
    own.add(stream)
    this.#byAccount.set(userId, own)
    events.begin(headers)
    return stream
  }

  of(userId: string): Iterable<OpenStream> {
    return this.#byAccount.get(userId) ?? []
  }

  *all(): Generator<OpenStream> {
    for (const own of this.#byAccount.values()) yield* own
  }

  send({ events }: OpenStream, text: string) {
    if (!events.send(text)) this.letGo++
  }

  #remove(stream: OpenStream) {
    const { userId, sessionId, address } = stream.reader
    const own = this.#byAccount.get(userId)
    if (!own?.delete(stream)) return
    if (own.size === 0) this.#byAccount.delete(userId)
    this.#size--
    this.#ofAddresses.leave(address)
    if (sessionId !== null) this.#ofAccounts.leave(userId)
  }
}
