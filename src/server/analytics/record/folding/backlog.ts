import type { Folded } from '../../store/ledger/folding-ledger.ts'
import type { FoldingNews } from './folding-messages.ts'

/** What earlier processes left: it is folded in steps, in turns with this process's own scans. */
export interface Backlog {
  /** About how many are not folded */
  readonly bytes: number
  /** Folds some; undefined if nothing is left. @throws what the database or the disk says */
  step(scansMax: number): Promise<Folded | undefined>
  /** Clears away what is folded; it may be called again if it failed. */
  end(): Promise<FoldingNews>
  close(): void
}
