import { threadConnection } from '../../database/thread-connection.ts'
import { serveTasks } from '../../work-threads.ts'
import { ScanReader } from '../store/packs/reader.ts'
import { Counting, type CountTask } from './count.ts'

/* A thread that reads scans and counts them, on a connection of its own. */

let counting: Counting | undefined

serveTasks((task: CountTask) => {
  if (!counting) {
    const database = { location: task.location, reads: threadConnection(task.location) }
    counting = new Counting(database, new ScanReader(database))
  }
  return counting.answer(task)
})
