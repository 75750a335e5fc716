import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { Recorder } from '../../src/server/analytics/recorder.ts'

/*
 * Preloaded by a server that will be killed: adds a line to the file EARLY_ANSWERS with how many
 * redirects went out before their scan's commit, before they go out. To ask the server for its count
 * would be too early, and what it has logged last dies with it.
 */
const file = process.env.EARLY_ANSWERS
if (isMainThread && file) {
  const { record } = Recorder.prototype
  let written = 0
  Recorder.prototype.record = function (line, answer) {
    record.call(this, line, () => {
      const early = this.counts.answeredBeforeCommit
      if (early > written) appendFileSync(file, `${early}\n`)
      written = early
      answer()
    })
  }
}
