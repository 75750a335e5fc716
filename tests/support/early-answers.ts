import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { Recorder } from '../../src/server/analytics/capture/recorder.ts'
import { scanOf } from '../../src/server/analytics/ledger/scan.ts'

/*
 * A server that will be killed preloads this. Before a redirect goes out ahead of its scan's commit,
 * it writes the visitor's User-Agent as a line to the file EARLY_ANSWERS. The server's own counter
 * would be read too early, and its last log lines are lost with the process.
 */
const file = process.env.EARLY_ANSWERS
if (isMainThread && file) {
  const { record } = Recorder.prototype
  let told = 0
  Recorder.prototype.record = function (line, answer) {
    record.call(this, line, () => {
      // The count rises before the first of the redirects that go out early together.
      if (told < this.counts.answeredBeforeCommit) {
        told++
        appendFileSync(file, `${scanOf(JSON.parse(line)).agent}\n`)
      }
      answer()
    })
  }
}
