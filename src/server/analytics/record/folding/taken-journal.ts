import type { Folded, FoldingLedger } from '../../store/ledger/folding-ledger.ts'
import { markEnded, removeEnded } from '../journal/endings.ts'
import { BEGINNING } from '../journal/layout.ts'
import type { Backlog } from './backlog.ts'
import type { FoldingNews, JournalPlace } from './folding-messages.ts'
import { bytesBeforeLast } from './journal-files.ts'
import { JournalFold, type JournalFoldDeps } from './journal-fold.ts'
import { UnreadableJournal } from './journal-reader.ts'

/** The journal of a process that has ended. */
export class TakenJournal implements Backlog {
  readonly #fold: JournalFold
  readonly #ledger: FoldingLedger
  readonly #since = performance.now()
  #scans = 0
  #isUnreadable = false
  /** The folder's new path, once all is folded. */
  #ended: string | undefined

  constructor(place: JournalPlace, deps: JournalFoldDeps) {
    this.#fold = new JournalFold(place, deps)
    this.#ledger = deps.ledger
  }

  get bytes(): number {
    return bytesBeforeLast(this.#fold.place.folder, this.#fold.folded ?? BEGINNING)
  }

  async step(scansMax: number): Promise<Folded | undefined> {
    if (this.#ended || this.#isUnreadable) return undefined
    try {
      const folded = await this.#fold.step(scansMax)
      this.#scans += folded?.fresh ?? 0
      return folded
    } catch (error) {
      if (!(error instanceof UnreadableJournal)) throw error
      this.#isUnreadable = true
      return undefined
    }
  }

  async end(): Promise<FoldingNews> {
    const { id, folder } = this.#fold.place
    this.close()
    if (this.#isUnreadable) return { unreadable: id }
    this.#ended ??= markEnded(folder)
    await this.#ledger.end(id)
    removeEnded(this.#ended)
    return { ended: id, scans: this.#scans, ms: Math.round(performance.now() - this.#since) }
  }

  close() {
    this.#fold.close()
  }
}
