import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { Recorder } from '../../src/server/analytics/capture/recorder.ts'
import { scanOf } from '../../src/server/analytics/ledger/scan.ts'

/*
 * Preloaded by a server that will be killed: adds to the file EARLY_ANSWERS the User-Agent of each
 * visitor whose redirect goes out before their scan's commit, a line each, before it goes out. To ask
 * the server for its count would be too early, and what it has logged last dies with it.
 */
const file = process.env.EARLY_ANSWERS
if (isMainThread && file) {
  const { record } = Recorder.prototype
  let told = 0
  Recorder.prototype.record = function (line, answer) {
    record.call(this, line, () => {
      // The count rises by all that go out early together, right before the first of them.
      if (told < this.counts.answeredBeforeCommit) {
        told++
        appendFileSync(file, `${scanOf(JSON.parse(line)).agent}\n`)
      }
      answer()
    })
  }
}
