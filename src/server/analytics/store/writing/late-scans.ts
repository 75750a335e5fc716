import { ScansByDay } from '../packs/ledger-scans.ts'
import { packColumns } from '../packs/pack.ts'
import { barePackOf } from '../packs/packs-store.ts'
import type { FoldScan } from './fold-scan.ts'
import type { LedgerTables } from './ledger-tables.ts'

/** No part of this id was there before, so its version need not be another one. */
const FIRST_VERSION = 0

/**
 * Adds the scans from before `packedUntil` to the packs: what is packed from the ledger is packed without
 * them. They are rare, so they get parts of their own, which a job joins with the others.
 */
export async function addLate(
  tables: LedgerTables,
  scans: FoldScan[],
  firsts: ReadonlySet<FoldScan>,
  packedUntil: number,
): Promise<void> {
  const late = scans.filter(({ at }) => at < packedUntil)
  if (late.length === 0) return
  const owners = await tables.ownersOf([...new Set(late.map(({ codeId }) => codeId))])
  const days = new ScansByDay()
  for (const scan of late) {
    const owner = owners.get(scan.codeId)
    if (owner === undefined) continue
    const texts = packColumns.map((name) =>
      name === 'code_id' ? scan.codeId : scan.kind.attributes[name],
    )
    days.add(owner, scan.id, scan.at, firsts.has(scan) ? 1 : 0, texts)
  }
  const packs = days.take()
  if (packs.length === 0) return
  await tables.addPacks(packs.map((pack) => ({ ...barePackOf(pack), version: FIRST_VERSION })))
  await tables.leaveJoined(Math.min(...packs.map(({ day }) => day)))
}
