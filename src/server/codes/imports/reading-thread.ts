import { AppError } from '../../http/errors.ts'
import { serveTasks } from '../../work-threads.ts'
import { recordsOf } from './file-records.ts'
import { rowsOf } from './file-rows.ts'
import { textOfFile } from './file-text.ts'
import type { ReadingAnswer, ReadingTask } from './read-file.ts'
import type { ReadRow } from './row-reader.ts'

/* A thread that reads one file after the other: what strangers have written holds up no redirect here. */

/** Rows of one answer */
const PART = 50

let rows: AsyncIterator<ReadRow> | undefined

async function open({ name, bytes, options }: Exclude<ReadingTask, 'more'>) {
  const { encoding, text } = textOfFile(name, Buffer.from(bytes))
  const file = await rowsOf(recordsOf(text), options)
  rows = file.rows[Symbol.asyncIterator]()
  return { encoding, format: file.format, columns: file.columns }
}

async function nextRows(): Promise<ReadRow[]> {
  const part: ReadRow[] = []
  while (rows && part.length < PART) {
    const next = await rows.next()
    if (next.done) rows = undefined
    else part.push(next.value)
  }
  return part
}

serveTasks<ReadingTask, ReadingAnswer>(async (task) => {
  try {
    return task === 'more' ? await nextRows() : await open(task)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
})
