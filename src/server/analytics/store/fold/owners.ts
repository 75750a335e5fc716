import type { WorkspaceId } from '../../../database/ids.ts'
import type { FoldScan } from '../fold-scan.ts'
import type { FoldMarks, LedgerTables } from './ledger-tables.ts'

const CODES_KEPT = 50_000

/** The accounts of the codes that are scanned, as long as no code is purged. */
export class Owners {
  readonly #known = new Map<string, WorkspaceId | null>()
  #purges = 0

  /**
   * The scans whose codes are not purged, in a transaction of `marks`. A purge waits for folds, and folds for a
   * purge: no code goes between this and the commit.
   */
  async living(tables: LedgerTables, scans: FoldScan[], { purges }: FoldMarks) {
    const known = this.#known
    if (purges !== this.#purges || known.size > CODES_KEPT) known.clear()
    this.#purges = purges
    const codes = new Set(scans.map(({ codeId }) => codeId))
    const unknown = [...codes].filter((id) => !known.has(id))
    if (unknown.length === 0) return scans
    for (const [id, workspace] of await tables.workspacesOf(unknown)) known.set(id, workspace)
    return scans.filter(({ codeId }) => known.has(codeId))
  }

  /** The account of a code that lives; null for a code that was never there */
  of = (codeId: string): WorkspaceId | null => this.#known.get(codeId) ?? null

  clear() {
    this.#known.clear()
  }
}
