import pLimit from 'p-limit'
import type { ImportEncoding } from '#contract/imports.ts'
import { SECOND_MS } from '#contract/time.ts'
import { WorkThread } from '../../work-threads.ts'
import { isJson } from './file-records.ts'
import type { FileRows } from './file-rows.ts'
import { refuseFile } from './file-text.ts'
import type { ReaderOptions, ReadRow } from './row-reader.ts'

/** A file to read, or its next rows */
export type ReadingTask = { name: string; bytes: Uint8Array; options: ReaderOptions } | 'more'

type Opened = Omit<FileRows, 'rows'> & { encoding: ImportEncoding }
/** A text says why the file cannot be read. */
export type ReadingAnswer = Opened | ReadRow[] | string

type ReadingThread = WorkThread<ReadingTask, ReadingAnswer>

const startThread = (): ReadingThread =>
  new WorkThread({
    thread: new URL('./reading-thread.ts', import.meta.url),
    // Its priority is low: a busy machine lets it wait.
    taskMs: 30 * SECOND_MS,
    idleMs: 30 * SECOND_MS,
    // 5 MB of brackets take a third of this. A thread that had no memory left would end the process.
    memory: { maxOldGenerationSizeMb: 512 },
  })

/** A thread that waits for the next file: it takes most of a second to start. */
let waiting: ReadingThread | undefined

const fewAtOnce = pLimit(2)
/** Several hostile ones together would take all memory. */
const oneByOne = pLimit(1)

/**
 * Reads a file in a thread, and hands its rows over as they come.
 * @throws AppError import_unreadable
 */
export function readFile<Result>(
  task: Exclude<ReadingTask, 'more'>,
  take: (file: FileRows & Opened) => Promise<Result>,
): Promise<Result> {
  const hasJson = isJson(task.bytes)
  return (hasJson ? oneByOne : fewAtOnce)(async () => {
    const thread = waiting && !waiting.hasEnded ? waiting : startThread()
    waiting = undefined
    try {
      const opened = readable(await thread.perform(task)) as Opened
      return await take({ ...opened, rows: rowsFrom(thread) })
    } finally {
      // Its memory is given back.
      if (hasJson || waiting) await thread.end()
      else waiting = thread
    }
  })
}

async function* rowsFrom(thread: ReadingThread): AsyncGenerator<ReadRow> {
  for (;;) {
    const rows = readable(await thread.perform('more')) as ReadRow[]
    if (rows.length === 0) return
    yield* rows
  }
}

const readable = (answer: ReadingAnswer) =>
  typeof answer === 'string' ? refuseFile(answer) : answer
