import { WorkThread } from '../../threads/work-thread.ts'
import { type FileRecord, refuseFile } from './file-records.ts'

/** What 5 MB of brackets take, three times: a thread that had no memory left would end the process. */
const MEMORY = { maxOldGenerationSizeMb: 512 }
const THREAD = {
  thread: new URL('./json-thread.ts', import.meta.url),
  ...{ taskMs: 10_000, idleMs: 10_000, memory: MEMORY },
}

/** One file at a time: several hostile ones together would take what the machine has. */
let last: Promise<unknown> = Promise.resolve()

/** The records of a JSON file, which a thread reads. @throws AppError import_unreadable */
export async function* jsonRecords(file: Buffer): AsyncGenerator<FileRecord> {
  const reading = last.then(() => read(file))
  last = reading.catch(() => {})
  yield* await reading
}

async function read(file: Buffer): Promise<FileRecord[]> {
  const reader = new WorkThread<Uint8Array, FileRecord[] | string>(THREAD, () => {})
  try {
    const found = await reader.perform(file)
    return typeof found === 'string' ? refuseFile(found) : found
  } finally {
    await reader.end()
  }
}
