import { isMainThread } from 'node:worker_threads'
import { DefaultQueryExecutor } from 'kysely'

/*
 * A server that preloads this is killed in the middle of the first series of more than 500 codes: two
 * statements have written codes, and nothing is committed.
 */
const KILLED_AFTER = 2

type Executor = { executeQuery: (query: { sql: string }, ...more: unknown[]) => Promise<unknown> }

if (isMainThread) {
  let base = DefaultQueryExecutor.prototype as unknown as Executor
  while (!Object.hasOwn(base, 'executeQuery')) base = Object.getPrototypeOf(base)
  const { executeQuery } = base
  let written = 0
  base.executeQuery = async function (query, ...more) {
    const result = await executeQuery.call(this, query, ...more)
    if (query.sql.trimStart().startsWith('insert into "codes"')) written++
    if (written === KILLED_AFTER) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
