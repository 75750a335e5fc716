import type { Folded, Position, ScansInbox } from '../../store/scans-store.ts'
import {
  beginningOf,
  bytesBeforeLast,
  freeSegments,
  markEnded,
  removeEnded,
} from '../journal/journal-directory.ts'
import { BEGINNING } from '../journal/layout.ts'
import type { JournalPlace } from './folding-messages.ts'
import { type Damage, JournalReader, type Read } from './journal-reader.ts'

export type JournalFoldDeps = {
  ledger: ScansInbox
  onDamage: (damage: Damage) => void
  /** Takes a segment that is folded, if the journal goes on. */
  recycle?: (segment: number) => void
}

/** One journal on its way into the ledger. */
export class JournalFold {
  readonly place: JournalPlace
  readonly #deps: JournalFoldDeps
  #reader: JournalReader | undefined
  /** Scans that are read and not yet written: a fold that failed is made again with the same scans. */
  #read: Read | undefined
  /** Up to here the journal is in the ledger; undefined as long as the database was not asked. */
  folded: Position | undefined
  /** Up to here the next batch goes, if it was begun before. */
  #until: Position | undefined
  readonly #since = performance.now()
  #scans = 0
  /** The folder's new path, once all is folded. */
  #ended: string | undefined
  /** The instant of the last scan that was folded */
  foldedAt = 0

  constructor(place: JournalPlace, deps: JournalFoldDeps) {
    this.place = place
    this.#deps = deps
  }

  /**
   * Folds the next scans. Undefined if there are none, or none up to `end`.
   * @throws what the database or the disk says; UnreadableJournal
   */
  async step(scansMax: number, end?: Position): Promise<Folded | undefined> {
    const { ledger } = this.#deps
    if (this.#ended) return undefined
    this.#reader ??= await this.#begin()
    this.#read ??= this.#until ? this.#repeated(this.#until) : this.#reader.read(scansMax, end)
    if (!this.#read) return undefined
    const { from, to, scans } = this.#read
    const folded = await ledger.add(scans, { journal: this.place.id, from, to })
    if (folded !== 'moved') {
      this.#read = undefined
      this.#until = undefined
      this.foldedAt = scans.at(-1)?.at ?? this.foldedAt
      this.#advance(to)
      this.#scans += folded.fresh
      return folded
    }
    // Another process has folded it, or a COMMIT of ours came through after all: we ask how far.
    this.#reader.close()
    this.#reader = undefined
    this.#reader = await this.#begin()
    this.#read = undefined
    const isOurs = this.folded?.segment === to.segment && this.folded.offset === to.offset
    const fresh = isOurs ? scans.length : 0
    this.#scans += fresh
    return { fresh, known: 0, refused: 0 }
  }

  /** All scans of a batch that may have been added, however much of it can still be read. */
  #repeated(until: Position): Read {
    const from = this.folded as Position
    const read = this.#reader?.read(Number.POSITIVE_INFINITY, until)
    const { segment, offset } = this.#reader?.position ?? until
    const bytes = segment === until.segment ? until.offset - offset : 0
    if (bytes > 0) this.#deps.onDamage({ segment, bytes })
    return { from, to: until, scans: read?.scans ?? [] }
  }

  close() {
    this.#reader?.close()
    this.#reader = undefined
    this.#read = undefined
  }

  /** All scans of the journal before this instant are folded; undefined if that is not known */
  get waitingSince(): number | undefined {
    return this.#read?.scans[0]?.at ?? (this.foldedAt || undefined)
  }

  /** About how many are not folded */
  get bytes(): number {
    return bytesBeforeLast(this.place.folder, this.folded ?? BEGINNING)
  }

  /** Clears away what is folded; it may be called again if it failed. @param mayKeepRow if the database fails, it keeps a row without a reader */
  async end({ mayKeepRow = false } = {}) {
    const { id, folder } = this.place
    this.close()
    this.#ended ??= markEnded(folder)
    // A database that was never asked has no row of it.
    const forgotten = this.folded && this.#deps.ledger.end(id)
    await forgotten?.catch((error) => {
      if (!mayKeepRow) throw error
    })
    removeEnded(this.#ended)
    return { ended: id, scans: this.#scans, ms: Math.round(performance.now() - this.#since) }
  }

  async #begin(): Promise<JournalReader> {
    const { id, folder } = this.place
    const { until, ...position } = await this.#deps.ledger.begin(id, beginningOf(folder))
    this.#until = until
    this.#advance(position)
    return new JournalReader({ folder, position, onDamage: this.#deps.onDamage })
  }

  #advance(to: Position) {
    const { segment } = this.folded ?? { segment: -1 }
    this.folded = to
    if (segment !== to.segment) freeSegments(this.place.folder, to.segment, this.#deps.recycle)
  }
}
