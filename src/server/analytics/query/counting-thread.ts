import type { Location } from '../../database/connect.ts'
import { threadConnection } from '../../database/thread-connection.ts'
import { serveTasks } from '../../threads/serve-tasks.ts'
import { ScanReader } from '../store/packs/reader.ts'
import { Counting } from './count.ts'
import type { CountTask } from './count-task.ts'

/* A thread that reads scans and counts them, on a connection of its own. */

let counting: Counting | undefined

serveTasks((task: CountTask) => {
  counting ??= countingOn(task.location)
  return counting.answer(task)
})

function countingOn(location: Location): Counting {
  const database = { location, reads: threadConnection(location) }
  return new Counting({ database, reader: new ScanReader(database) })
}
