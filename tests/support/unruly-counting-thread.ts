import { parentPort } from 'node:worker_threads'
import type { CountTask } from '../../src/server/analytics/query/counter.ts'
import '../../src/server/analytics/query/counting-thread.ts'
import { BREAKS } from './unruly-looks.ts'

// Before the real thread's answer, which takes a turn of the event loop that never comes.
parentPort?.on('message', ({ task: { scans } }: { task: CountTask }) => {
  if (scans.filters.city === BREAKS) throw new Error('broken')
})
