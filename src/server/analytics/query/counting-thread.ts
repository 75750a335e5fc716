import { serveTasks } from '../../work-threads.ts'
import { openCounts } from '../store/open-store.ts'
import type { Count } from '../store/scans-store.ts'
import type { CountTask } from './counter.ts'

/* A thread that reads scans and counts them, on a connection of its own. */

let count: Count | undefined

serveTasks(({ location, scans, question }: CountTask) => {
  count ??= openCounts(location).count
  return count(scans, question)
})
