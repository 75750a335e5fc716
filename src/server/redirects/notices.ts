import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/connect.ts'
import type { Targets } from './targets.ts'

const CHANNEL = 'tessera_codes'
const RECONNECT_MS = 1_000
/** PostgreSQL takes less than 8,000 bytes in one notice; a code has at most 22 names of 50 characters. */
const SEPARATOR = ','

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
    const payload = keys.join(SEPARATOR)
    sql`select pg_notify(${CHANNEL}, ${payload})`.execute(this.#database.db).catch((error) => {
      this.#log.warn({ err: error }, 'notice of a changed code not sent; others see it in seconds')
    })
  }

  async #listen() {
    if (this.#database.location.engine !== 'postgres') return
    const client = new pg.Client({ connectionString: this.#database.location.url })
    client.on('error', (error) => this.#log.warn({ err: error }, 'listening connection failed'))
    client.on('end', () => this.#listenAgain())
    client.on('notification', ({ payload = '' }) => this.#targets.forget(payload.split(SEPARATOR)))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#client = client
      // Whatever was announced while nobody listened is not known: look everything up again.
      this.#targets.forgetAll()
    } catch (error) {
      this.#log.warn({ err: error }, 'not listening for changed codes yet')
      await client.end().catch(() => {})
      this.#listenAgain()
    }
  }

  #listenAgain() {
    this.#client = undefined
    if (this.#stopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#listen(), RECONNECT_MS)
    this.#timer.unref()
  }
}
