import { threadConnection } from '../../database/thread-connection.ts'
import { serveTasks } from '../../work-threads.ts'
import { counting } from '../store/count/count.ts'
import { ScanReader } from '../store/packs/reader.ts'
import type { Count } from '../store/scans-store.ts'
import type { CountTask } from './counter.ts'

/* A thread that reads scans and counts them, on a connection of its own. */

let count: Count | undefined

serveTasks(({ location, scans, question }: CountTask) => {
  if (!count) {
    const database = { location, reads: threadConnection(location) }
    count = counting(database, new ScanReader(database))
  }
  return count(scans, question)
})
