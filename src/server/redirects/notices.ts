import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/connect.ts'
import type { Targets } from './targets.ts'

const CHANNEL = 'tessera_codes'
const RECONNECT_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000
/** A connection that died without a word is noticed by this. */
const KEEP_ALIVE_MS = 10_000
const SEPARATOR = ','
/** PostgreSQL takes less than 8,000 bytes in one notice; a name has at most 50 characters. */
const NAMES_IN_NOTICE = 100

/** Tells the other processes of one PostgreSQL which names lead elsewhere, and listens to them. */
export class Notices {
  readonly #database: Database
  readonly #targets: Targets
  readonly #log: FastifyBaseLogger
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(deps: { database: Database; targets: Targets; log: FastifyBaseLogger }) {
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

  /** These names lead elsewhere now, here and in every process. */
  announce(keys: string[]) {
    this.#targets.forget(keys)
    if (this.#database.location.engine !== 'postgres' || keys.length === 0) return
    for (let start = 0; start < keys.length; start += NAMES_IN_NOTICE) {
      this.#notify(keys.slice(start, start + NAMES_IN_NOTICE))
    }
  }

  #notify(keys: string[]) {
    const notice = sql`select pg_notify(${CHANNEL}, ${keys.join(SEPARATOR)})`
    notice.execute(this.#database.db).catch((error) => {
      this.#log.warn({ err: error }, 'notice of a changed code not sent; others see it in seconds')
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
    client.on('end', () => this.#listenAgain(client))
    client.on('notification', ({ payload = '' }) => this.#targets.forget(payload.split(SEPARATOR)))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // Whatever was announced while nobody listened is not known: look everything up again.
      this.#targets.doubtAll()
    } catch (error) {
      this.#log.warn({ err: error }, 'not listening for changed codes yet')
      client.end().catch(() => {})
      this.#listenAgain(client)
    }
  }

  /** Once for each connection that is lost, however often it says so. */
  #listenAgain(lost: pg.Client) {
    if (this.#stopped || this.#client !== lost) return
    this.#client = undefined
    this.#timer = setTimeout(() => void this.#listen(), RECONNECT_MS)
    this.#timer.unref()
  }
}
