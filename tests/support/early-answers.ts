import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { Journal } from '../../src/server/analytics/record/journal/journal.ts'

/*
 * A server that will be killed preloads this. Before a redirect goes out ahead of its scan's write,
 * it writes the visitor's User-Agent as a line to the file EARLY_ANSWERS. The server's own counter
 * would be read too early, and its last log lines are lost with the process.
 */
const file = process.env.EARLY_ANSWERS
if (isMainThread && file) {
  const { record } = Journal.prototype
  Journal.prototype.record = function (codeId, visit, at, answer) {
    // Scans are written in the order of these numbers. An answer that comes at once does not wait.
    let number = Number.POSITIVE_INFINITY
    record.call(this, codeId, visit, at, () => {
      if (this.counts.written < number) appendFileSync(file, `${visit.attributes.agent}\n`)
      answer()
    })
    number = this.counts.written + this.waiting
  }
}
