import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/connect.ts'
import type { TargetCache } from './target-cache.ts'

const CHANNEL = 'tessera_codes'
const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** TCP keep-alive finds a connection that died silently. */
const KEEP_ALIVE_MS = 10_000
const SEPARATOR = ','
/** PostgreSQL's limit is 8,000 bytes a notification; a name has at most 50 characters. */
const NAMES_MAX = 100

/** Tells the other processes on one PostgreSQL which names have a new target, and listens to them. */
export class ChangeChannel {
  readonly #database: Database
  readonly #targets: TargetCache
  readonly #log: FastifyBaseLogger
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(deps: { database: Database; targets: TargetCache; log: FastifyBaseLogger }) {
    this.#database = deps.database
    this.#targets = deps.targets
    this.#log = deps.log
  }

  start() {
    if (this.#database.location.engine === 'postgres') void this.#listen()
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  /** These names have a new target, for this process and all others. */
  announce(keys: string[]) {
    this.#targets.invalidate(keys)
    if (this.#database.location.engine !== 'postgres' || keys.length === 0) return
    for (let start = 0; start < keys.length; start += NAMES_MAX) {
      this.#notify(keys.slice(start, start + NAMES_MAX))
    }
  }

  #notify(keys: string[]) {
    const query = sql`select pg_notify(${CHANNEL}, ${keys.join(SEPARATOR)})`
    query.execute(this.#database.db).catch((error) => {
      this.#log.warn(
        { err: error },
        'change of a code not announced; other processes see it in seconds',
      )
    })
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
    client.on('notification', ({ payload = '' }) =>
      this.#targets.invalidate(payload.split(SEPARATOR)),
    )
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // Changes that were announced before now were not heard: look every name up again.
      this.#targets.invalidateAll()
    } catch (error) {
      this.#log.warn({ err: error }, 'not listening for changed codes yet')
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
