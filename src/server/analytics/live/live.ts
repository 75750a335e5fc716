import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { WorkspaceId } from '../../database/ids.ts'
import type { ProcessBus } from '../../database/process-bus.ts'
import { AppError } from '../../http/errors.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import { Gathering, type Scanned } from '../record/folding/gathering.ts'
import {
  type OpenStream,
  OpenStreams,
  type Reader,
  type SseResponse,
  textOf,
} from './open-streams.ts'
import { ScanChannel } from './scan-channel.ts'

const OWNERS_KEPT = 20_000
const BEAT_EVERY_MS = 15_000
/** A stream ends within five seconds of its session. */
const CHECK_EVERY_MS = 4_000
/** A database that did not answer is asked again. */
const RETRY_MS = 1_000
/** Codes that wait to be passed on. After more, every page reads everything again. */
const WAITING_MAX = 10_000
/** Every page reads everything again at most once in this time. */
const ALL_EVERY_MS = 5_000

/** The accounts of codes, by id. Codes that are gone have none. */
export type OwnersOf = (ids: string[]) => Promise<Map<string, WorkspaceId>>

export type LiveDeps = {
  bus: ProcessBus
  log: FastifyBaseLogger
  ownersOf: OwnersOf
  /** Which of these sessions have not ended; looking changes nothing. */
  /** Those of these readers whose session lasts, and who may still read there */
  livingReaders: (readers: Reader[]) => Promise<Set<Reader>>
}

/**
 * Sends browsers the ids of their codes that were scanned. They ask for the figures themselves: so a
 * scan that is sent twice counts once, and a page that has opened its stream reads all of them.
 */
export class Live {
  readonly #deps: LiveDeps
  readonly #streams = new OpenStreams()
  readonly #channel: ScanChannel
  readonly #ownersOf: OwnersOf
  /** Codes that could not be passed on */
  readonly #waiting = new Gathering({
    everyMs: RETRY_MS,
    codesMax: WAITING_MAX,
    tell: (scanned) => this.#hear(scanned),
  })
  readonly #all = new Gathering({
    everyMs: ALL_EVERY_MS,
    codesMax: 0,
    tell: () => this.#send(this.#streams.all(), textOf('changed', { codes: null })),
  })
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
      nonce: randomBytes(4).toString('hex'),
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

  open(reader: Reader, sse: SseResponse) {
    if (this.#timers.length === 0) this.#startTimers()
    const stream = this.#streams.open(reader, sse)
    this.#streams.send(stream, textOf('beat'))
  }

  /** Ends all streams; their browsers find another process. */
  end() {
    this.#hasStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const stream of this.#streams.all()) this.#streams.end(stream)
  }

  /** Sends the last scans to the other processes. */
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
      counter('streams_let_go_total', 'Streams ended because their pages did not read them', letGo),
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
    for (const stream of this.#streams.all()) this.#streams.send(stream, textOf('beat'))
  }

  /** Ends the streams whose session or membership has ended, and those that have lived long. */
  async #check() {
    if (this.#isChecking || this.#streams.size === 0) return
    this.#isChecking = true
    try {
      const streams = [...this.#streams.all()]
      const readers = streams.map(({ reader }) => reader)
      const living = await this.#deps.livingReaders(readers)
      for (const stream of streams) {
        if (!living.has(stream.reader)) this.#streams.end(stream, textOf('end'))
        else if (stream.endsAt <= performance.now()) this.#streams.end(stream)
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'sessions of streams not looked for')
    } finally {
      this.#isChecking = false
    }
  }

  #hear(scanned: Scanned) {
    if (this.#hasStopped) return
    if (scanned === 'many') this.#all.add('many')
    else void this.#pass([...scanned])
  }

  async #pass(scanned: string[]) {
    if (this.#streams.size === 0) return
    try {
      const owners = await this.#ownersOf(scanned)
      for (const [workspaceId, codes] of Map.groupBy(scanned, (id) => owners.get(id))) {
        if (workspaceId) this.#send(this.#streams.of(workspaceId), textOf('changed', { codes }))
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'scans not passed on yet')
      this.#waiting.add(scanned)
    }
  }

  #send(streams: Iterable<OpenStream>, text: string) {
    for (const stream of streams) {
      this.#events++
      this.#streams.send(stream, text)
    }
  }
}

/** A code never changes its owner, so that each is asked for once. */
function keepOwners(ask: OwnersOf): OwnersOf {
  const known = new LRUCache<string, WorkspaceId>({ max: OWNERS_KEPT })
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id))
    const found = unknown.length > 0 ? await ask(unknown) : []
    for (const [id, owner] of found) known.set(id, owner)
    const owners = ids.map((id) => [id, known.get(id)] as const)
    return new Map(owners.filter((pair): pair is [string, WorkspaceId] => pair[1] !== undefined))
  }
}
