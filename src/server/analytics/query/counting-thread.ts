import { threadConnection } from '../../database/thread-connection.ts'
import { serveTasks } from '../../work-threads.ts'
import { Counting } from '../store/count/count.ts'
import { ScanReader } from '../store/packs/reader.ts'
import type { CountTask } from './counter.ts'

/* A thread that reads scans and counts them, on a connection of its own. */

let counting: Counting | undefined

serveTasks(({ location, scans, question }: CountTask) => {
  if (!counting) {
    const database = { location, reads: threadConnection(location) }
    counting = new Counting(database, new ScanReader(database))
  }
  return counting.count(scans, question)
})
