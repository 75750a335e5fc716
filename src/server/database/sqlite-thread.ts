import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { BACKSTOP_PAGES } from './checkpoint-limits.ts'

/*
 * The thread that owns one SQLite handle. better-sqlite3 is synchronous, so a held
 * lock or a long query blocks this thread and never the one that answers requests.
 */

export type Question = { ticket: number; sql: string; parameters: unknown[] }
export type Answer =
  | { ticket: number; rows: unknown[]; changes: number }
  | { ticket: number; error: { message: string; code: string | undefined } }

const { file, readonly } = workerData as { file: string; readonly: boolean }
const handle = new Sqlite(file, { readonly, timeout: 10_000 })
if (!readonly) {
  handle.pragma('journal_mode = WAL')
  // WAL's default of NORMAL may lose the newest commits when the power goes.
  handle.pragma('synchronous = FULL')
  handle.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`)
}
handle.pragma('foreign_keys = ON')
// SQLite's own knows ASCII only: a search for "äpfel" would miss "Äpfel".
handle.function('lower', { deterministic: true }, (text) =>
  typeof text === 'string' ? text.toLowerCase() : text,
)

const STATEMENTS_KEPT = 200
const statements = new Map<string, Sqlite.Statement>()

function prepared(sql: string): Sqlite.Statement {
  const known = statements.get(sql)
  if (known) return known
  if (statements.size >= STATEMENTS_KEPT) statements.clear()
  const statement = handle.prepare(sql)
  statements.set(sql, statement)
  return statement
}

function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value === undefined ? null : value
}

function answer({ ticket, sql, parameters }: Question): Answer {
  try {
    const statement = prepared(sql)
    const values = parameters.map(bindable)
    if (statement.reader) return { ticket, rows: statement.all(values), changes: 0 }
    return { ticket, rows: [], changes: statement.run(values).changes }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { ticket, error: { message, code } }
  }
}

parentPort?.on('message', (question: Question | 'close') => {
  if (question !== 'close') return parentPort?.postMessage(answer(question))
  handle.close()
  parentPort?.close()
})
