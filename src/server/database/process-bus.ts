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

export type ProcessBus = ReturnType<typeof processBus>

/**
 * Carries messages between the processes on one PostgreSQL, by its notifications: one connection listens
 * for all readers. On SQLite there is only one process, and nothing is sent.
 */
export function processBus({ database, log }: { database: Database; log: FastifyBaseLogger }) {
  const { location } = database
  const listeners = new Map<string, Listener>()
  let present: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function listen() {
    if (location.engine !== 'postgres') return
    const client = new pg.Client({
      connectionString: location.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    present = client
    client.on('error', (error) => log.warn({ err: error }, 'listening connection failed'))
    client.on('end', () => reconnect(client))
    client.on('notification', ({ channel, payload = '' }) => listeners.get(channel)?.hear(payload))
    try {
      await client.connect()
      for (const channel of listeners.keys()) await client.query(`listen ${channel}`)
      for (const listener of listeners.values()) listener.missed()
    } catch (error) {
      log.warn({ err: error }, 'not listening to other processes yet')
      client.end().catch(() => {})
      reconnect(client)
    }
  }

  /** A lost connection may report it several times; one new one is opened for it. */
  function reconnect(lost: pg.Client) {
    if (isStopped || present !== lost) return
    present = undefined
    timer = setTimeout(() => void listen(), RECONNECT_MS).unref()
  }

  const hasOthers = location.engine === 'postgres'
  return {
    hasOthers,
    /** Call it before `start`. A process reads what it told itself, too. */
    read: (channel: string, listener: Listener) => {
      listeners.set(channel, listener)
    },
    /**
     * @param message less than 8,000 bytes (https://www.postgresql.org/docs/current/sql-notify.html)
     * @throws what the database says
     */
    tell: async (channel: string, message: string): Promise<void> => {
      if (!hasOthers) return
      await sql`select pg_notify(${channel}, ${message})`.execute(database.db)
    },
    start: () => void listen(),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await present?.end().catch(() => {})
    },
  }
}
