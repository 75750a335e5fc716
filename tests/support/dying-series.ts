import { isMainThread } from 'node:worker_threads'
import { InsertQueryBuilder } from 'kysely'

/*
 * A server that preloads this is killed in the middle of the first series of more than 500 codes: two
 * statements have written codes, and nothing is committed.
 */
const KILLED_AFTER = 2

if (isMainThread) {
  const { execute } = InsertQueryBuilder.prototype
  let written = 0
  InsertQueryBuilder.prototype.execute = async function () {
    const result = await execute.call(this)
    if (this.compile().sql.startsWith('insert into "codes"')) written++
    if (written === KILLED_AFTER) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
