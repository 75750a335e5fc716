import { workerData } from 'node:worker_threads'
import {
  FAILURES,
  type FoldingStart,
} from '../../src/server/analytics/record/folding/folding-messages.ts'
import '../../src/server/analytics/record/folding/folding-thread.ts'

/* The folding thread, but the first two of them end in the middle of their work. */

const LIVES = 2
const { counts } = workerData as FoldingStart
const deaths = counts[FAILURES] ?? 0
if (deaths < LIVES) {
  counts[FAILURES] = deaths + 1
  setTimeout(() => process.exit(1), 10 * deaths)
}
