import { packColumns } from '../../src/server/analytics/store/packs/pack.ts'
import type { ScanColumn } from '../../src/server/analytics/store/scan.ts'
import type { ScanPart } from '../../src/server/analytics/store/scans-store.ts'
import type { LedgerRow } from './ledger.ts'

type Scan = { second: number; first: number } & Record<ScanColumn, string | null>

const lineOf = (scan: Scan) =>
  [scan.second, scan.first, ...packColumns.map((name) => scan[name])].join(' | ')

/** The scans of a part that were asked for, a line each. */
export function linesOf({ scans, begin, end, isAsked }: ScanPart): string[] {
  const lines: string[] = []
  for (let row = begin; row < end; row++) {
    if (!isAsked[scans.columns.code_id.of[row] as number]) continue
    const texts = packColumns.map((name) => {
      const { values, of } = scans.columns[name]
      return [name, values[of[row] as number] ?? null]
    })
    const second = scans.day * 86_400 + (scans.seconds[row] as number)
    lines.push(
      lineOf({ second, first: scans.first[row] as number, ...Object.fromEntries(texts) } as Scan),
    )
  }
  return lines
}

/** Returns the sorted lines that a reading of these rows of the ledger must give. */
export const linesOfLedger = (rows: LedgerRow[]): string[] =>
  rows.map((row) => lineOf({ ...row, second: Math.floor(row.at / 1_000) })).sort()
