import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'refused-scans.jsonl'
const OWNER_FILE = 0o600
const OWNER_FOLDER = 0o700

/**
 * Keeps lines that the database will never take, for a person to look at, in DATA_DIR/journal. They
 * are on disk when it returns.
 */
export function keepRefused(dataDir: string, lines: string[]) {
  if (lines.length === 0) return
  const folder = join(dataDir, 'journal')
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER })
  const file = openSync(join(folder, FILE), 'a', OWNER_FILE)
  try {
    writeSync(file, `${lines.join('\n')}\n`)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}
