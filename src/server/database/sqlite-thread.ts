import { workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { serveTasks } from '../work-threads.ts'
import { openSqlite } from './sqlite-handle.ts'

/*
 * The thread that owns one SQLite handle. better-sqlite3 is synchronous, so a held lock or a long
 * query blocks this thread and never the one that answers requests. That thread asks for a long
 * answer in parts, so that it can serve requests between them.
 */

const LOCK_TIMEOUT_MS = 10_000
/** Rows that the asking thread takes in less than a millisecond. */
const PART_ROWS = 200
const STATEMENTS_KEPT = 200

export type ThreadData = { file: string; readonly: boolean; isLowPriority: boolean }

/** `more` asks for the next part of an answer, `close` for the end of the handle. */
export type Question = Statement | { more: number } | 'close'
type Statement = { sql: string; parameters: readonly unknown[] }
/** `rest` is the number of an answer that has more parts. */
export type SqlAnswer = { rows: unknown[]; changes: number; rest?: number }

const { file, readonly, isLowPriority } = workerData as ThreadData
const handle = openSqlite(file, { readonly, timeoutMs: LOCK_TIMEOUT_MS })
handle.pragma('foreign_keys = ON')

const statements = new LRUCache<string, Sqlite.Statement>({
  max: STATEMENTS_KEPT,
  memoMethod: (sql) => handle.prepare(sql),
})

function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value === undefined ? null : value
}

/** The answers that were sent in part, by number. */
const unfinished = new Map<number, { rows: unknown[]; sent: number }>()
let lastAnswer = 0

function partOf(rows: unknown[], sent = 0, rest = ++lastAnswer): SqlAnswer {
  const end = sent + PART_ROWS
  const part = { rows: rows.slice(sent, end), changes: 0 }
  if (end < rows.length) {
    unfinished.set(rest, { rows, sent: end })
    return { ...part, rest }
  }
  unfinished.delete(rest)
  return part
}

function answer(question: Question): SqlAnswer {
  if (question === 'close') {
    handle.close()
    return partOf([])
  }
  if ('more' in question) {
    const { rows, sent } = unfinished.get(question.more) ?? { rows: [], sent: 0 }
    return partOf(rows, sent, question.more)
  }
  const statement = statements.memo(question.sql)
  const values = question.parameters.map(bindable)
  if (statement.reader) return partOf(statement.all(values))
  return { rows: [], changes: statement.run(values).changes }
}

serveTasks(answer, { isLowPriority })
