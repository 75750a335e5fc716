import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isScanLine } from '../ledger/scan.ts'

/*
 * Scans that could not be committed wait in files, one line each. A file has the ending `.part`
 * until it is complete. If it keeps that ending, its process ended too soon and the last line may
 * be torn.
 */

const FILE = /^scans-.+\.jsonl$/
const UNFINISHED_FILE = /^scans-.+\.jsonl\.part$/
const REFUSED_FILE = 'refused-scans.jsonl'
/** No process takes so long to write one file: its writer is gone. A file of the future is from a clock that went back. */
const ABANDONED_MS = 60_000

/** Unique to this process and this start, so that no two writers share a file. */
const origin = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
let files = 0

export class Spill {
  readonly #folder: string
  readonly #origin: string

  /** @param processId goes into the names of the files */
  constructor(dataDir: string, processId: number) {
    this.#folder = join(dataDir, 'spill')
    this.#origin = `${processId}-${origin}`
  }

  /** Writes lines to a new file, which is on disk when the promise resolves. */
  async write(lines: string[]): Promise<void> {
    if (lines.length === 0) return
    await mkdir(this.#folder, { recursive: true })
    const path = join(this.#folder, `scans-${this.#origin}-${++files}.jsonl`)
    await writeDurably(`${path}.part`, 'w', lines)
    await rename(`${path}.part`, path)
    await syncFolder(this.#folder)
  }

  /** Keeps lines that the database will never take, for a person to look at. */
  async keepRefused(lines: string[]): Promise<void> {
    if (lines.length === 0) return
    await mkdir(this.#folder, { recursive: true })
    await writeDurably(join(this.#folder, REFUSED_FILE), 'a', lines)
  }

  /**
   * Hands each file's scans to `replay` and then removes the file. Two processes may read the same
   * file: the ids of the scans prevent double counts.
   * @throws what `replay` or the disk says; the file then stays for the next attempt
   */
  async drain(replay: (lines: string[]) => Promise<void>): Promise<number> {
    let scans = 0
    for (const name of await this.#replayable()) {
      scans += await this.#drainFile(join(this.#folder, name), replay)
    }
    return scans
  }

  async #drainFile(path: string, replay: (lines: string[]) => Promise<void>): Promise<number> {
    const text = await unlessGone(readFile(path, 'utf8'))
    if (text === undefined) return 0
    const lines = text.split('\n').filter(Boolean)
    const scans = lines.filter(isScanLine)
    await replay(scans)
    await this.keepRefused(lines.filter((line) => !isScanLine(line)))
    await rm(path, { force: true })
    return scans.length
  }

  async #replayable(): Promise<string[]> {
    const names = (await unlessGone(readdir(this.#folder))) ?? []
    const unfinished = names.filter((name) => UNFINISHED_FILE.test(name))
    const abandoned = await Promise.all(unfinished.map((name) => this.#isAbandoned(name)))
    return names
      .filter((name) => FILE.test(name))
      .concat(unfinished.filter((_, index) => abandoned[index]))
      .sort()
  }

  async #isAbandoned(name: string): Promise<boolean> {
    const found = await unlessGone(stat(join(this.#folder, name)))
    return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > ABANDONED_MS
  }
}

/** Undefined if another process has removed the file. @throws any other fault */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
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

/** Makes the new name survive a power cut, where the system can sync folders. */
async function syncFolder(path: string) {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
