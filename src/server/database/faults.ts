const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // PostgreSQL: admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // The thread of SQLite ended or could not start.
  'THREAD_LOST',
])

const SQLITE_PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN)/
// The first three are of pg, the last of Kysely when the server stops.
const TEXTS =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|driver has already been destroyed/

/**
 * Whether an error means that the database cannot answer now, and not that the query is wrong. Each one of
 * ClickHouse is taken for that (analytics/store/clickhouse/fault.ts).
 */
export function isDatabaseDown(error: unknown): boolean {
  const { name, code = '', message = '' } = (error ?? {}) as Partial<Error> & { code?: unknown }
  if (name === 'ClickHouseFault') return true
  if (typeof code === 'string') {
    if (UNREACHABLE.has(code) || SQLITE_PASSING.test(code)) return true
    // SQLSTATE class 08: connection exception
    if (/^08\w{3}$/.test(code)) return true
  }
  return TEXTS.test(message)
}
