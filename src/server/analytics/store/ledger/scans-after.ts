import type { Db, Tables } from '../../../database/schema.ts'

/** A scan by a person, as those are told of it who asked to be. */
export type ToldScan = Pick<
  Tables['scans'],
  | 'id'
  | 'code_id'
  | 'at'
  | 'first'
  | 'country'
  | 'region'
  | 'city'
  | 'device'
  | 'os'
  | 'browser'
  | 'referrer'
  | 'language'
> & { isPerson: boolean }

/** The next rows of the ledger between two ids, of all codes, in the order of their ids. */
export async function scansAfter(
  db: Db,
  { after, until, limit }: { after: string; until: string; limit: number },
): Promise<ToldScan[]> {
  const rows = await db
    .selectFrom('scans')
    .select(['id', 'code_id', 'at', 'class', 'first', 'country', 'region', 'city', 'device', 'os'])
    .select(['browser', 'referrer', 'language'])
    .where('id', '>', after)
    .where('id', '<', until)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ class: kind, ...scan }) => ({ ...scan, isPerson: kind === 'person' }))
}
