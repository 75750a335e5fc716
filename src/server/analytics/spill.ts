import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Scans that could not be committed wait in files, one line each. A file is written under a
 * passing name and renamed when it is complete, so a file with its final name can be read whole.
 */

const FILE = /^scans-.+\.jsonl$/
const REFUSED_FILE = 'refused-scans.jsonl'

/** Names this process and this start: no two writers ever share a file. */
const origin = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
let files = 0

export class Spill {
  readonly #folder: string
  readonly #origin: string

  /** @param processId names the writing process in the file's name */
  constructor(dataDir: string, processId: number) {
    this.#folder = join(dataDir, 'spill')
    this.#origin = `${processId}-${origin}`
  }

  /** Writes lines to a file of their own, on disk when it returns. */
  async write(lines: string[]): Promise<void> {
    if (lines.length === 0) return
    await mkdir(this.#folder, { recursive: true })
    const path = join(this.#folder, `scans-${this.#origin}-${++files}.jsonl`)
    await writeDurably(`${path}.part`, 'w', lines)
    await rename(`${path}.part`, path)
  }

  /** Keeps lines that the database will never take, for a person to look at. */
  async keepRefused(lines: string[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await writeDurably(join(this.#folder, REFUSED_FILE), 'a', lines)
  }

  /**
   * Hands every complete file's lines to `replay` and removes the file when that has succeeded. Two
   * processes may read the same file: the scans' ids keep each from being counted twice.
   */
  async drain(replay: (lines: string[]) => Promise<void>): Promise<number> {
    const names = await readdir(this.#folder).catch(() => [])
    let scans = 0
    for (const name of names.filter((candidate) => FILE.test(candidate)).sort()) {
      const path = join(this.#folder, name)
      const text = await readFile(path, 'utf8').catch(() => '')
      const lines = text.split('\n').filter(isWhole)
      await replay(lines)
      await rm(path, { force: true })
      scans += lines.length
    }
    return scans
  }
}

async function writeDurably(path: string, flags: 'w' | 'a', lines: string[]) {
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(`${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

function isWhole(line: string): boolean {
  if (!line) return false
  try {
    return Array.isArray(JSON.parse(line))
  } catch {
    return false
  }
}
