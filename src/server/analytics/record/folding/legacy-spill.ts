import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '#contract/time.ts'
import { scanOfLine } from '../../store/ledger/scan.ts'
import { type FoldScan, foldScanOf, ScanKinds } from './fold-scan.ts'
import type { Folded, FoldingLedger } from './folding-ledger.ts'
import type { FoldingNews } from './folding-messages.ts'
import type { Backlog } from './journal-fold.ts'

/*
 * Earlier versions wrote scans that they could not commit into DATA_DIR/spill, one line each. A file
 * has the ending `.part` until it is complete; if it keeps that, its process ended too soon and the
 * last line may be torn. The scans have ids of their own, so a file may be folded twice.
 */

const FILE = /^scans-.+\.jsonl(\.part)?$/
/** No process took this time to write one file. */
const ABANDONED_MS = MINUTE_MS

export type FormerSpillDeps = {
  dataDir: string
  ledger: FoldingLedger
  keepRefused: (lines: string[]) => void
}

type SpillFile = { path: string; scans: FoldScan[]; torn: string[] }

/** The files that an earlier version left. */
export class FormerSpill implements Backlog {
  readonly bytes = 0
  readonly #deps: FormerSpillDeps
  readonly #folder: string
  #file: SpillFile | undefined
  #scans = 0

  constructor(deps: FormerSpillDeps) {
    this.#deps = deps
    this.#folder = join(deps.dataDir, 'spill')
  }

  async step(scansMax: number): Promise<Folded | undefined> {
    this.#file ??= this.#next()
    if (!this.#file) return undefined
    const { path, scans, torn } = this.#file
    const taken = scans.slice(0, scansMax)
    const folded = await this.#deps.ledger.fold(taken)
    scans.splice(0, taken.length)
    if (scans.length === 0) {
      this.#deps.keepRefused(torn)
      rmSync(path, { force: true })
      this.#file = undefined
    }
    if (folded === 'moved') return undefined
    this.#scans += folded.fresh
    return folded
  }

  async end(): Promise<FoldingNews> {
    return { drained: this.#scans }
  }

  close() {
    this.#file = undefined
  }

  #next(): SpillFile | undefined {
    const name = filesIn(this.#folder).find((name) => FILE.test(name) && this.#isWhole(name))
    if (!name) return undefined
    const path = join(this.#folder, name)
    const kinds = new ScanKinds()
    const scans: FoldScan[] = []
    const torn: string[] = []
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const scan = scanOfLine(line)
      if (scan) scans.push(foldScanOf(scan, kinds))
      else torn.push(line)
    }
    return { path, scans, torn }
  }

  #isWhole(name: string): boolean {
    if (!name.endsWith('.part')) return true
    const found = statSync(join(this.#folder, name), { throwIfNoEntry: false })
    return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    // No earlier version has spilled here.
    return []
  }
}
