import type { Scan } from './scan.ts'
import type { ScanKind, ScanKinds } from './scan-kinds.ts'

/** A scan on its way into the ledger; `at` in epoch milliseconds. */
export type FoldScan = {
  id: string
  codeId: string
  at: number
  kind: ScanKind
  visitor: string | null
}

export function foldScanOf(
  { id, code_id, at, visitor, ...kind }: Scan,
  kinds: ScanKinds,
): FoldScan {
  return { id, codeId: code_id, at, kind: kinds.of(kind), visitor }
}

export function scanOfFold({ id, codeId, at, kind, visitor }: FoldScan): Scan {
  return { id, code_id: codeId, at, ...kind.kind, visitor }
}
