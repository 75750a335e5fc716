import {
  closeSync,
  constants,
  copyFileSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FoldScan, scanOfFold } from '../../store/fold-scan.ts'
import type { Position } from '../../store/scans-store.ts'
import { BEGINNING, HEADER_BYTES, segmentFile } from './layout.ts'

/** The file that becomes the next segment */
export const SPARE = 'spare'
const REFUSED = 'refused-scans.jsonl'
const DAMAGED = '.damaged'
const OWNER_FILE = 0o600
const OWNER_FOLDER = 0o700
const SEGMENT = /^(\d{10})\.seg$/

/** The numbers of the segments in a journal's folder, oldest first; none if it is not there. */
export function segmentsIn(folder: string): number[] {
  return namesIn(folder)
    .map((name) => SEGMENT.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((one, other) => one - other)
}

/** Where the oldest segment that is there begins. */
export function beginningOf(folder: string): Position {
  const [first] = segmentsIn(folder)
  return first === undefined ? BEGINNING : { segment: first, offset: HEADER_BYTES }
}

/** Removes the segments before this one. `recycle` gets the last of them, if it is given. */
export function freeSegments(folder: string, before: number, recycle?: (segment: number) => void) {
  const folded = segmentsIn(folder).filter((segment) => segment < before)
  const last = recycle ? folded.pop() : undefined
  for (const segment of folded) rmSync(join(folder, segmentFile(segment)), { force: true })
  if (last !== undefined) recycle?.(last)
}

/**
 * How many bytes from a position on are not folded, but for the last segment: how far a journal has
 * filled that is not known before it is read.
 */
export function bytesBeforeLast(folder: string, { segment, offset }: Position): number {
  const left = segmentsIn(folder).filter((number) => number >= segment)
  const sizes = left.slice(0, -1).map((number) => sizeOf(join(folder, segmentFile(number))))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return bytes > 0 && left[0] === segment ? bytes - offset : bytes
}

/**
 * Keeps a copy of a damaged segment beside the journals, for a person to look at. Returns its path,
 * or undefined if it cannot be kept.
 */
export function keepDamaged(folder: string, segment: number): string | undefined {
  const path = `${folder}-${segmentFile(segment)}${DAMAGED}`
  try {
    copyFileSync(join(folder, segmentFile(segment)), path, constants.COPYFILE_FICLONE)
    return path
  } catch {
    // It is gone, or the disk is full: the journal must go on.
    return undefined
  }
}

/** Keeps scans that the database will never take, as `keepRefused` does. */
export function keepRefusedScans(dataDir: string, scans: readonly FoldScan[]) {
  const lines = scans.map((scan) => JSON.stringify(scanOfFold(scan)))
  keepRefused(dataDir, lines)
}

/**
 * Keeps lines that the database will never take, for a person to look at, in DATA_DIR/journal. They
 * are on disk when it returns.
 */
export function keepRefused(dataDir: string, lines: string[]) {
  if (lines.length === 0) return
  const folder = join(dataDir, 'journal')
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER })
  const file = openSync(join(folder, REFUSED), 'a', OWNER_FILE)
  try {
    writeSync(file, `${lines.join('\n')}\n`)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/*
 * How a journal that is folded ends, in an order that no crash can turn into a second fold: the
 * folder's name says so for good (markEnded), the database forgets its position, the folder goes
 * (removeEnded), and its owner releases the lock.
 */

const PREFIX = 'ended-'

export const isEnded = (name: string) => name.startsWith(PREFIX)

/** Marks a journal as folded: from now on it is not read. Returns the folder's new path. */
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

/** Makes the names in a folder last. */
export function syncFolder(folder: string) {
  const fd = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Makes a segment that is never read again the next one: its bytes need no new place on disk. */
export function recycle(folder: string, segment: number) {
  renameSync(join(folder, segmentFile(segment)), join(folder, SPARE))
}

/** Whether a file of DATA_DIR/journal has scans that were kept for a person to look at. */
export const isLeft = (name: string) => name === REFUSED || name.endsWith(DAMAGED)

/** Whether a file or folder was not there. */
export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
