import { IMPORT_ROWS_MAX } from '#contract/imports.ts'
import { AppError } from '../../http/errors.ts'
import { serveTasks } from '../../serve-tasks.ts'
import { kuttRecords } from './file-records.ts'

/*
 * A thread that reads one JSON file and ends: a file of 5 MB can take most of a second in one go, in
 * which no redirect would be answered.
 */

/** With the header, and one that is too many */
const MOST = IMPORT_ROWS_MAX + 2

serveTasks((file: Uint8Array) => {
  try {
    return kuttRecords(Buffer.from(file)).take(MOST).toArray()
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
})
