import pLimit from 'p-limit'
import { WorkThreads } from '../../threads/work-threads.ts'
import { type FileRecord, refuseFile } from './file-records.ts'

/** What 5 MB of brackets take, three times: a thread that had no memory left would end the process. */
const MEMORY = { maxOldGenerationSizeMb: 512 }
const threads = new WorkThreads<Uint8Array, FileRecord[] | string>({
  thread: new URL('./json-thread.ts', import.meta.url),
  taskMs: 10_000,
  // The thread ends with the last file that waits, and gives back the memory.
  idleMs: 0,
  memory: MEMORY,
})

/** One file at a time: several hostile ones together would take what the machine has. */
const oneByOne = pLimit(1)

/** The records of a JSON file, which a thread reads. @throws AppError import_unreadable */
export async function* jsonRecords(file: Buffer): AsyncGenerator<FileRecord> {
  const found = await oneByOne(() => threads.perform(file))
  yield* typeof found === 'string' ? refuseFile(found) : found
}
