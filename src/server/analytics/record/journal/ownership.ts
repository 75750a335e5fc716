import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import { isEnded, namesIn, removeEnded, segmentsIn, syncFolder } from './journal-directory.ts'
import { segmentFile } from './layout.ts'

/*
 * DATA_DIR/journal/ holds a folder for each journal, and beside it `<id>.lock`, which the owner keeps
 * locked as long as his process lives. The lock is SQLite's: it works wherever the database does,
 * between containers too, and ends with the process, however that ends. A folder whose lock is free
 * is an ended process's. No other code may open a lock file: closing it would free the lock.
 */

const LOCK = '.lock'
/** Process, instant, nonce. */
const ID = /^\d+-[0-9a-z]+-[0-9a-f]{10}$/
const isLock = (name: string) => name.endsWith(LOCK) && ID.test(name.slice(0, -LOCK.length))
const OWNER = 0o700
/** A lock without a folder may be that of a process that is just about to make it. */
const YOUNG_MS = MINUTE_MS

/** A journal that is this process's, until `release`. */
export type Owned = {
  id: string
  folder: string
  /** Lets go. If the folder is gone, so is the lock's file. */
  release: () => void
}

/** An unreferenced handle would be collected, and its lock with it. */
const held = new Set<Sqlite.Database>()

const isBusy = (error: unknown) =>
  String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')

/** The held lock, or undefined if another one has it. */
function lock(path: string): Sqlite.Database | undefined {
  const handle = new Sqlite(path, { timeout: 0 })
  try {
    handle.pragma('journal_mode = memory')
    handle.exec('begin exclusive')
    held.add(handle)
    return handle
  } catch (error) {
    handle.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

function unlock(handle: Sqlite.Database, path: string, isUsed: boolean) {
  // Remove it while we hold it: no other process can hold it by that name now.
  if (!isUsed) rmSync(path, { force: true })
  handle.close()
  held.delete(handle)
}

function own(journals: string, id: string, handle: Sqlite.Database): Owned {
  const folder = join(journals, id)
  const release = () => {
    if (held.has(handle)) unlock(handle, join(journals, id + LOCK), existsSync(folder))
  }
  return { id, folder, release }
}

function journalsIn(dataDir: string): string {
  const journals = join(dataDir, 'journal')
  mkdirSync(journals, { recursive: true, mode: OWNER })
  return journals
}

/** The segments of all journals in DATA_DIR, by their paths in it. */
export function allSegments(dataDir: string): string[] {
  return journalIds(dataDir).flatMap((id) =>
    segmentsIn(join(dataDir, 'journal', id)).map(
      (segment) => `journal/${id}/${segmentFile(segment)}`,
    ),
  )
}

/** Makes a journal's folder for this process. Throws if DATA_DIR cannot be written. */
export function claimNew(dataDir: string, processId: number): Owned {
  const journals = journalsIn(dataDir)
  const id = `${processId}-${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`
  // The lock is first: a folder without one is always an ended process's.
  const handle = lock(join(journals, id + LOCK))
  if (!handle) return claimNew(dataDir, processId)
  mkdirSync(join(journals, id), { mode: OWNER })
  syncFolder(journals)
  return own(journals, id, handle)
}

/**
 * Takes the journals of processes that have ended; of two that try, one gets each. Also clears away
 * what an end that was cut short has left. What it cannot take it leaves, and says why.
 */
export function adoptOrphans(dataDir: string, log: FastifyBaseLogger): Owned[] {
  const journals = journalsIn(dataDir)
  const entries = readdirSync(journals, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  for (const name of folders.filter(isEnded)) removeEnded(join(journals, name))
  const locks = entries.filter((entry) => entry.isFile() && isLock(entry.name))
  for (const { name } of locks) clearLock(join(journals, name))
  return folders
    .filter((name) => ID.test(name))
    .map((id) => claim(journals, id, log))
    .filter((owned) => owned !== undefined)
}

function claim(journals: string, id: string, log: FastifyBaseLogger): Owned | undefined {
  try {
    const handle = lock(join(journals, id + LOCK))
    if (!handle) return undefined
    const owned = own(journals, id, handle)
    if (existsSync(owned.folder)) return owned
    // Its heir has just removed it.
    owned.release()
  } catch (error) {
    log.error({ err: error, journal: id }, 'the scans of an ended process cannot be taken over')
  }
  return undefined
}

/** The ids of the journals in DATA_DIR. */
export const journalIds = (dataDir: string): string[] =>
  namesIn(join(dataDir, 'journal')).filter((name) => ID.test(name))

/**
 * Whether the process of a journal has ended. Only for a process without a journal: to close a lock
 * file would free a lock of its own.
 */
export function hasEnded(dataDir: string, id: string): boolean {
  const path = join(dataDir, 'journal', id + LOCK)
  if (!existsSync(path)) return true
  const handle = lock(path)
  if (handle) unlock(handle, path, true)
  return handle !== undefined
}

/** Removes a lock that belongs to no folder. */
function clearLock(path: string) {
  const folder = path.slice(0, -LOCK.length)
  if (existsSync(folder) || isYoung(path)) return
  try {
    const handle = lock(path)
    if (handle) unlock(handle, path, existsSync(folder))
  } catch {
    // The lock is not ours, and delays nothing.
  }
}

function isYoung(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false })
  return !status || Date.now() - status.mtimeMs < YOUNG_MS
}
