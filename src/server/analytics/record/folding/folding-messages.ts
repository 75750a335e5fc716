import type { Location } from '../../../database/connect.ts'
import type { JournalState } from '../journal/shared-memory.ts'
import type { Damage } from './journal-reader.ts'

/** A journal as the folding thread knows it. */
export type JournalPlace = { id: string; folder: string }

/** The folding thread's start. `counts` is shared with the main thread, and outlives the thread. */
export type FoldingStart = {
  location: Location
  dataDir: string
  own: JournalPlace
  state: JournalState
  counts: Float64Array
}

export const FRESH = 0
export const REFUSED = 1
export const FOLDS = 2
export const FAILURES = 3
export const DAMAGED_BYTES = 4
/** The scans of this process's own journal, whatever became of them. */
export const OWN = 5
const COUNTS = 6

export const newFoldingCounts = () =>
  new Float64Array(new SharedArrayBuffer(COUNTS * Float64Array.BYTES_PER_ELEMENT))

/**
 * To the folding thread: `take` a journal that is ours now; a reader waits for the own journal to be folded `until`
 * there (packed).
 */
export type FoldingOrder =
  | { wake: true }
  | { take: JournalPlace }
  | { until: bigint }
  | { stop: true }

/** From the folding thread. */
export type FoldingNews =
  | { ended: string; scans: number; ms: number }
  | { failed: string }
  | { recovered: true }
  | { refused: number }
  | { damaged: Damage & { journal: string; kept: string | undefined } }
  | { unreadable: string }
  | { stopped: true }
  /** Codes that persons have scanned, now in the ledger */
  | { scanned: string[] | 'many' }
