import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/*
 * DATA_DIR is for the service alone: it holds e-mail addresses, hashes of passwords, and the key that
 * signs sessions. main.ts sets the umask for new files; here are the files of earlier versions.
 */

/** Our files, and SQLite's own beside the database. */
const FILE = /^(tessera\.sqlite.*|session-secret.*|has-database)$/
const FOLDERS = ['spill', 'outbox', 'journal']
/** Names that a folder of ours may hold: also the demo's folder and file, hidden files, and a disk's lost+found. */
const OURS =
  /^(tessera\.sqlite.*|session-secret.*|has-database|spill|outbox|journal|demo|demo\.json|lost\+found|\..*)$/

const OTHERS = 0o077
const OWNER = 0o700

/**
 * Takes all rights on DATA_DIR and on our files in it from all users but their owner. A folder that
 * holds something else too (`/tmp`, say) keeps its rights; our files in it do not.
 * @param warn gets one line with what stays open to others
 */
export function keepPrivate(dataDir: string, warn: (message: string) => void): void {
  const names = entriesOf(dataDir)
  if (names.every((name) => OURS.test(name))) tighten(dataDir, warn)
  else warn(`DATA_DIR (${dataDir}) holds files that are not ours: others may list it`)
  for (const name of names.filter((name) => FILE.test(name))) tighten(join(dataDir, name), warn)
  for (const folder of FOLDERS.filter((name) => names.includes(name))) {
    const path = join(dataDir, folder)
    tighten(path, warn)
    for (const name of entriesOf(path)) tighten(join(path, name), warn)
  }
}

function tighten(path: string, warn: (message: string) => void) {
  try {
    const mode = modeOf(path)
    if ((mode & OTHERS) === 0) return
    chmodSync(path, mode & OWNER)
    // Some systems have no such rights and say nothing.
    if ((modeOf(path) & OTHERS) !== 0)
      warn(`other users may read ${path}: its rights cannot be set`)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // SQLite removes its own files when another process closes the database.
    if (code !== 'ENOENT') warn(`other users may read ${path}: ${code} when its rights were set`)
  }
}

/** The bytes of a file; undefined without one */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const modeOf = (path: string) => statSync(path).mode

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // There is none yet, or the start fails for the same reason and says so.
    return []
  }
}
