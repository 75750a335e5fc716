import { isMainThread } from 'node:worker_threads'
import { DefaultQueryExecutor } from 'kysely'

/*
 * A server that preloads this is killed before a statement: KILLED_BEFORE says which one, counted from the
 * first that begins with KILLED_FROM.
 */
const KILLED_BEFORE = Number(process.env.KILLED_BEFORE)
const KILLED_FROM = process.env.KILLED_FROM ?? ''

type Executor = { executeQuery: (query: { sql: string }, ...more: unknown[]) => unknown }

if (isMainThread) {
  let base = DefaultQueryExecutor.prototype as unknown as Executor
  while (!Object.hasOwn(base, 'executeQuery')) base = Object.getPrototypeOf(base)
  const { executeQuery } = base
  let statements = 0
  base.executeQuery = function (query, ...more) {
    if (statements > 0 || query.sql.startsWith(KILLED_FROM)) statements++
    if (statements === KILLED_BEFORE) process.kill(process.pid, 'SIGKILL')
    return executeQuery.call(this, query, ...more)
  }
}
