import { parentPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { lowerPriority } from '../threads/priority.ts'
import { openSqlite } from './sqlite-handle.ts'

/*
 * The thread that owns one SQLite handle. better-sqlite3 is synchronous, so a held lock or a long
 * query blocks this thread and never the one that answers requests. That thread asks for a long
 * answer in parts, so that it can serve requests between them.
 */

const LOCK_TIMEOUT_MS = 10_000
/** The asking thread takes so many rows in less than a millisecond. */
const PART_ROWS = 200

/** `more` asks for the next part of an answer. */
export type Question = Statement | { ticket: number; more: true }
type Statement = { ticket: number; sql: string; parameters: readonly unknown[] }
export type Answer =
  | { ticket: number; rows: unknown[]; changes: number; isLast: boolean }
  | { ticket: number; error: { message: string; code: string | undefined } }

const { file, readonly, isLowPriority } = workerData as {
  file: string
  readonly: boolean
  isLowPriority: boolean
}
if (isLowPriority) lowerPriority()
const handle = openSqlite(file, { readonly, timeoutMs: LOCK_TIMEOUT_MS })
handle.pragma('foreign_keys = ON')
// SQLite's own function handles only ASCII: a search for "äpfel" would miss "Äpfel".
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

/** Answers of which we have sent some parts, by ticket. */
const unfinished = new Map<number, { rows: unknown[]; sent: number }>()

function nextPart(ticket: number, { rows, sent } = unfinished.get(ticket) ?? NO_ROWS): Answer {
  const end = sent + PART_ROWS
  const isLast = end >= rows.length
  if (isLast) unfinished.delete(ticket)
  else unfinished.set(ticket, { rows, sent: end })
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
