import type { Db } from '../../database/schema.ts'
import { QUARTER_MS } from '../../dates.ts'
import { idFrom } from '../store/ledger/scan-ids.ts'
import type { Period } from './periods.ts'

/**
 * The versions of the rules that judged the scans of a period, of all codes; none where it has no scan.
 * They only ever rise, so its first scan and its last one tell.
 */
export async function rulesIn(db: Db, { from, to }: Period): Promise<number[]> {
  const inPeriod = db
    .selectFrom('scans')
    .select('rule')
    .where('id', '>=', idFrom(from * QUARTER_MS))
    .where('id', '<', idFrom(to * QUARTER_MS))
    .limit(1)
  const first = await inPeriod.orderBy('id').executeTakeFirst()
  const last = await inPeriod.orderBy('id', 'desc').executeTakeFirst()
  const lowest = Number.parseInt(first?.rule ?? '', 10)
  const highest = Number.parseInt(last?.rule ?? '', 10)
  if (!(lowest <= highest)) return []
  return Array.from({ length: highest - lowest + 1 }, (_, above) => lowest + above)
}
