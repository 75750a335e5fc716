import { renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './segments.ts'

/*
 * How a journal that is folded ends, in an order that no crash can turn into a second fold: the
 * folder's name says so for good (markEnded), the database forgets its position, the folder goes
 * (removeEnded), and its owner lets go of the lock.
 */

const PREFIX = 'ended-'

export const isEnded = (name: string) => name.startsWith(PREFIX)

/** Marks a journal as folded: from now on nobody reads it. Answers the folder's new path. */
export function markEnded(folder: string): string {
  const ended = join(dirname(folder), PREFIX + basename(folder))
  renameSync(folder, ended)
  syncFolder(dirname(folder))
  return ended
}

/** Removes the folder of an ended journal, also when another process does so too. */
export function removeEnded(ended: string) {
  rmSync(ended, { recursive: true, force: true })
}
