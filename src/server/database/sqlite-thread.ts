import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { BACKSTOP_PAGES } from './checkpoint-limits.ts'

/*
 * The thread that owns one SQLite handle. better-sqlite3 is synchronous, so a held
 * lock or a long query blocks this thread and never the one that answers requests. Nor does a long
 * answer, which that thread takes in parts, each when it asks for it.
 */

/** Under a millisecond's work for the thread that takes them. */
const PART_ROWS = 200

/** `more` asks for the next part of an answer that has been begun. */
export type Question = Statement | { ticket: number; more: true }
type Statement = { ticket: number; sql: string; parameters: readonly unknown[] }
export type Answer =
  | { ticket: number; rows: unknown[]; changes: number; isLast: boolean }
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

const NO_ROWS = { rows: [], sent: 0 }

/** Answers that have been begun, by ticket. */
const begun = new Map<number, { rows: unknown[]; sent: number }>()

function nextPart(ticket: number, { rows, sent } = begun.get(ticket) ?? NO_ROWS): Answer {
  const end = sent + PART_ROWS
  const isLast = end >= rows.length
  if (isLast) begun.delete(ticket)
  else begun.set(ticket, { rows, sent: end })
  return { ticket, rows: rows.slice(sent, end), changes: 0, isLast }
}

function answer(question: Question): Answer {
  const { ticket } = question
  if ('more' in question) return nextPart(ticket)
  try {
    const statement = prepared(question.sql)
    const values = question.parameters.map(bindable)
    if (statement.reader) return nextPart(ticket, { rows: statement.all(values), sent: 0 })
    return { ticket, rows: [], changes: statement.run(values).changes, isLast: true }
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
