import type { Location } from '../../database/connect.ts'
import { FoldingLedger, type LedgerDeps, openTables } from './fold/folding-ledger.ts'
import type { ScansInbox } from './scans-store.ts'

/** Opens the inbox of the store that a location names. Without ClickHouse nothing of it is loaded. */
export async function openInbox(
  location: Location,
  deps: Omit<LedgerDeps, 'open'>,
): Promise<ScansInbox> {
  const tables = { open: () => openTables(location), ...deps }
  if (location.engine === 'sqlite' || !location.scans) return new FoldingLedger(tables)
  const { clickhouseInbox } = await import('./open-store.ts')
  return clickhouseInbox(location, location.scans, tables)
}
