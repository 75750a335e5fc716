import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ProcessBus } from '../../database/process-bus.ts'
import { AppError } from '../../http/errors.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import type { Scanned } from '../record/folding/gathering.ts'
import {
  type OpenStream,
  OpenStreams,
  type Reader,
  type SseResponse,
  textOf,
} from './open-streams.ts'
import { EventIds, RecentCodes } from './recent-codes.ts'
import { ScanChannel } from './scan-channel.ts'

const OWNERS_KEPT = 20_000
const BEAT_EVERY_MS = 15_000
/** A stream ends within five seconds of its session. */
const CHECK_EVERY_MS = 4_000
/** A database that did not answer is asked again. */
const RETRY_MS = 1_000
/** Codes that wait to be passed on. After more, all streams are reset. */
const HEARD_MAX = 10_000
/** So many are looked up for a stream that goes on; with more it begins afresh. */
const MISSED_MAX = 1_000
/** A request may be under way for this time before we know how old its page is. */
const UNDERWAY_MS = 5_000
/** All streams are reset at most so often. */
const RESET_EVERY_MS = 5_000

/** The accounts of codes, by id. Codes that are gone have none. */
export type OwnersOf = (ids: string[]) => Promise<Map<string, string>>

export type LiveDeps = {
  bus: ProcessBus
  log: FastifyBaseLogger
  ownersOf: OwnersOf
  /** Which of these sessions have not ended; looking changes nothing. */
  livingSessions: (ids: string[]) => Promise<Set<string>>
}

/** The beginning of a stream: an event's id, or an age in milliseconds */
export type Beginning = { after?: string | undefined; age?: number | undefined }

type Newcomer = { stream: OpenStream; beginning: Beginning; openedAt: number }

/**
 * Sends browsers the ids of their codes that were scanned. They ask for the figures themselves: so a
 * scan that is sent twice counts once.
 *
 * Invariant: codes get their instant when they are noted, and what is noted is sent in the same turn
 * of the event loop. So a stream has been sent all codes of its account up to the id it was sent last.
 */
export class Live {
  readonly #deps: LiveDeps
  readonly #ids = new EventIds()
  readonly #streams = new OpenStreams()
  readonly #recent = new RecentCodes(this.#ids.tick())
  readonly #channel: ScanChannel
  readonly #ownersOf: OwnersOf
  #newcomers: Newcomer[] = []
  #heard = new Set<string>()
  #heardMany = false
  #resetAt = Number.NEGATIVE_INFINITY
  #isPassing = false
  #retry: NodeJS.Timeout | undefined
  #reset: NodeJS.Timeout | undefined
  #timers: NodeJS.Timeout[] = []
  #isChecking = false
  #hasStopped = false
  #events = 0

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.#ownersOf = keepOwners(deps.ownersOf)
    this.#channel = new ScanChannel({
      bus: deps.bus,
      log: deps.log,
      nonce: this.#ids.nonce,
      hear: (scanned) => this.#hear(scanned),
    })
  }

  /** This process has counted scans of these codes. */
  tell(scanned: Scanned) {
    this.#channel.tell(scanned)
    this.#hear(scanned)
  }

  /** @throws AppError rate_limited, busy, unavailable: no stream for this reader now */
  check(reader: Reader) {
    if (this.#hasStopped) throw new AppError('unavailable')
    this.#streams.check(reader)
  }

  open(reader: Reader, sse: SseResponse, beginning: Beginning) {
    if (this.#timers.length === 0) this.#startTimers()
    const stream = this.#streams.open(reader, sse)
    this.#newcomers.push({ stream, beginning, openedAt: Date.now() })
    void this.#pass()
  }

  /** Ends all streams; their browsers find another process. */
  end() {
    this.#hasStopped = true
    for (const timer of [this.#retry, this.#reset]) clearTimeout(timer)
    for (const timer of this.#timers) clearInterval(timer)
    for (const { events } of this.#streams.all()) events.end()
  }

  /** Tells the other processes of the last scans. */
  async stop() {
    this.end()
    await this.#channel.stop()
  }

  metrics(): Metric[] {
    const { size, opened, refused, letGo } = this.#streams
    return [
      gauge('streams_open', 'Dashboards that are told of scans', size),
      counter('streams_opened_total', 'Streams of scans that were opened', opened),
      counter('streams_refused_total', 'Streams refused because too many were open', refused),
      counter('streams_let_go_total', 'Streams ended because nobody read them', letGo),
      counter('streams_events_total', 'Events about scans that were sent', this.#events),
    ]
  }

  #startTimers() {
    const every = (ms: number, work: () => void) => setInterval(work, ms).unref()
    this.#timers = [
      every(BEAT_EVERY_MS, () => this.#beat()),
      every(CHECK_EVERY_MS, () => void this.#check()),
    ]
  }

  #beat() {
    const text = textOf({ event: 'beat', id: this.#ids.of(this.#ids.tick()) })
    for (const stream of this.#streams.all()) {
      if (!this.#isNew(stream)) this.#streams.send(stream, text)
    }
  }

  /** One that has not been sent where it begins. */
  #isNew(stream: OpenStream) {
    return this.#newcomers.some((newcomer) => newcomer.stream === stream)
  }

  /** Ends the streams whose session has ended, and those that have lived long. */
  async #check() {
    if (this.#isChecking || this.#streams.size === 0) return
    this.#isChecking = true
    try {
      const streams = [...this.#streams.all()]
      const ids = new Set(streams.flatMap(({ reader }) => reader.sessionId ?? []))
      const living = await this.#deps.livingSessions([...ids])
      const end = textOf({ event: 'end', id: this.#ids.of(this.#ids.tick()) })
      for (const { reader, events, endsAt } of streams) {
        if (reader.sessionId !== null && !living.has(reader.sessionId)) events.end(end)
        else if (endsAt <= performance.now()) events.end()
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'sessions of streams not looked for')
    } finally {
      this.#isChecking = false
    }
  }

  #hear(scanned: Scanned) {
    if (scanned === 'many') this.#heardMany = true
    else for (const code of scanned) this.#heard.add(code)
    if (this.#heard.size > HEARD_MAX) {
      this.#heardMany = true
      this.#heard.clear()
    }
    void this.#pass()
  }

  /** One at a time, in the order of the invariant. */
  async #pass() {
    if (this.#isPassing || this.#retry || this.#hasStopped) return
    this.#isPassing = true
    try {
      while (this.#newcomers.length > 0 || this.#heard.size > 0) {
        await this.#welcome([...this.#newcomers])
        await this.#passOn(this.#heard)
      }
      this.#passMany()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'scans not passed on yet')
      this.#retry = this.#later(RETRY_MS)
    } finally {
      this.#isPassing = false
    }
  }

  #later(ms: number) {
    const again = () => {
      this.#retry = undefined
      void this.#pass()
    }
    return setTimeout(again, ms).unref()
  }

  /** Sends each where it begins, with what it missed. */
  async #welcome(newcomers: Newcomer[]) {
    if (newcomers.length === 0) return
    const missed = newcomers.map(({ beginning, openedAt }) => this.#missed(beginning, openedAt))
    const codes = new Set(missed.flatMap((each) => each ?? []))
    const owners = await this.#ownersOf([...codes])
    const id = this.#ids.of(this.#ids.tick())
    for (const [index, { stream }] of newcomers.entries()) {
      const { userId } = stream.reader
      const own = missed[index]?.filter((code) => owners.get(code) === userId)
      if (!own) this.#send(stream, textOf({ event: 'reset', id }))
      else if (own.length > 0)
        this.#send(stream, textOf({ event: 'scans', id, data: { codes: own } }))
      else this.#streams.send(stream, textOf({ event: 'beat', id }))
    }
    this.#newcomers = this.#newcomers.filter((each) => !newcomers.includes(each))
  }

  /** Returns the codes scanned since then; undefined if they are not known. */
  #missed({ after, age }: Beginning, openedAt: number): string[] | undefined {
    const begun = openedAt - (age === undefined ? 0 : age + UNDERWAY_MS)
    const since = after === undefined ? begun : this.#ids.instantOf(after)
    const codes = since === undefined ? undefined : this.#recent.since(since)
    return codes && codes.length > MISSED_MAX ? undefined : codes
  }

  async #passOn(heard: Set<string>) {
    if (heard.size === 0) return
    const codes = [...heard]
    const owners = this.#streams.size > 0 ? await this.#ownersOf(codes) : new Map<string, string>()
    // More may have been heard since; a scan that came again is sent again.
    for (const code of codes) heard.delete(code)
    const at = this.#ids.tick()
    const id = this.#ids.of(at)
    this.#recent.note(codes, at)
    for (const [userId, own] of byOwner(codes, owners)) {
      const text = textOf({ event: 'scans', id, data: { codes: own } })
      for (const stream of this.#streams.of(userId)) {
        if (!this.#isNew(stream)) this.#send(stream, text)
      }
    }
  }

  #passMany() {
    if (!this.#heardMany) return
    const left = this.#resetAt + RESET_EVERY_MS - performance.now()
    clearTimeout(this.#reset)
    if (left > 0) {
      this.#reset = this.#later(left)
      return
    }
    this.#heardMany = false
    this.#resetAt = performance.now()
    const at = this.#ids.tick()
    this.#recent.forget(at)
    const text = textOf({ event: 'reset', id: this.#ids.of(at) })
    for (const stream of this.#streams.all()) this.#send(stream, text)
  }

  #send(stream: OpenStream, text: string) {
    this.#events++
    this.#streams.send(stream, text)
  }
}

/** A code never changes its owner, so that each is asked for once. */
function keepOwners(ask: OwnersOf): OwnersOf {
  const known = new LRUCache<string, string>({ max: OWNERS_KEPT })
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id))
    const found = unknown.length > 0 ? await ask(unknown) : new Map<string, string>()
    for (const [id, owner] of found) known.set(id, owner)
    const owners = new Map(found)
    for (const id of ids) {
      const owner = known.get(id)
      if (owner !== undefined) owners.set(id, owner)
    }
    return owners
  }
}

/** Codes by their accounts. */
function byOwner(codes: Iterable<string>, owners: Map<string, string>) {
  const grouped = new Map<string, string[]>()
  for (const code of codes) {
    const owner = owners.get(code)
    if (owner === undefined) continue
    const own = grouped.get(owner)
    if (own) own.push(code)
    else grouped.set(owner, [code])
  }
  return grouped
}
