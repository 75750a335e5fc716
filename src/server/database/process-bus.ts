import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './connect.ts'

const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** TCP keep-alive finds a connection that died silently. */
const KEEP_ALIVE_MS = 10_000

export type Listener = {
  hear: (message: string) => void
  /** Messages that others sent before now may be lost. */
  missed: () => void
}

/**
 * Carries messages between the processes on one PostgreSQL, by its notifications: one connection listens
 * for all readers. On SQLite there is only one process, and nothing is sent.
 */
export class ProcessBus {
  readonly #database: Database
  readonly #log: FastifyBaseLogger
  readonly #listeners = new Map<string, Listener>()
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(deps: { database: Database; log: FastifyBaseLogger }) {
    this.#database = deps.database
    this.#log = deps.log
  }

  get hasOthers(): boolean {
    return this.#database.location.engine === 'postgres'
  }

  /** Call it before `start`. A process reads what it told itself, too. */
  read(channel: string, listener: Listener) {
    this.#listeners.set(channel, listener)
  }

  /**
   * @param message less than 8,000 bytes (https://www.postgresql.org/docs/current/sql-notify.html)
   * @throws what the database says
   */
  async tell(channel: string, message: string): Promise<void> {
    if (!this.hasOthers) return
    await sql`select pg_notify(${channel}, ${message})`.execute(this.#database.db)
  }

  start() {
    void this.#listen()
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  async #listen() {
    if (this.#database.location.engine !== 'postgres') return
    const client = new pg.Client({
      connectionString: this.#database.location.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    this.#client = client
    client.on('error', (error) => this.#log.warn({ err: error }, 'listening connection failed'))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', ({ channel, payload = '' }) =>
      this.#listeners.get(channel)?.hear(payload),
    )
    try {
      await client.connect()
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`)
      for (const listener of this.#listeners.values()) listener.missed()
    } catch (error) {
      this.#log.warn({ err: error }, 'not listening to other processes yet')
      client.end().catch(() => {})
      this.#reconnect(client)
    }
  }

  /** A lost connection may report it several times; one new one is opened for it. */
  #reconnect(lost: pg.Client) {
    if (this.#stopped || this.#client !== lost) return
    this.#client = undefined
    this.#timer = setTimeout(() => void this.#listen(), RECONNECT_MS)
    this.#timer.unref()
  }
}
