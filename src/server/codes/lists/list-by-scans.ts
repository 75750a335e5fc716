import { isUnscanned, LIST_MAX, PAGE_SIZE } from '#contract/code-values.ts'
import type { CodeListQuery } from '#contract/codes.ts'
import type { Db } from '../../database/schema.ts'
import { type CodeRow, listCodes, listedByIds, listedIds, listedKeys } from '../codes-store.ts'

/** What the ledger knows of a code: `lastScan` in epoch milliseconds. */
export type Scans = { total: number; lastScan: number }

/** The scans of these codes, without the codes that have none. */
export type ScansOf = (ids: string[]) => Promise<Map<string, Scans>>

type Asked = { userId: string; query: CodeListQuery; now: Date }
type CodesPage = { rows: CodeRow[]; total: number }

/** An account's list as it was asked for. Only one that asks for scans reads them. */
export async function askedList(db: Db, scansOf: ScansOf, asked: Asked): Promise<CodesPage> {
  const { userId, query, now } = asked
  if (!needsScans(query)) return listCodes(db, userId, query, now)
  const found = await idsByScans(db, scansOf, asked)
  const size = query.page ? PAGE_SIZE : LIST_MAX
  const from = ((query.page ?? 1) - 1) * size
  const ids = found.slice(from, from + size)
  return { rows: await listedByIds(db, userId, ids), total: found.length }
}

/** The ids of such a list, in its order, at most LIST_MAX. */
export async function askedIds(db: Db, scansOf: ScansOf, asked: Asked): Promise<string[]> {
  const { userId, query, now } = asked
  return needsScans(query) ? idsByScans(db, scansOf, asked) : listedIds(db, userId, query, now)
}

const isByScans = ({ sort }: CodeListQuery) => sort === 'scans' || sort === '-scans'
const needsScans = (query: CodeListQuery) => isByScans(query) || query.status === 'unscanned'

async function idsByScans(db: Db, scansOf: ScansOf, asked: Asked): Promise<string[]> {
  const { userId, query, now } = asked
  const keys = await listedKeys(db, userId, query, now)
  const scans = await scansOf(keys.map(({ id }) => id))
  const totalOf = ({ id }: { id: string }) => scans.get(id)?.total ?? 0
  const direction = query.sort === 'scans' ? 1 : -1
  const found = keys.filter(
    ({ id, createdAt }) =>
      query.status !== 'unscanned' ||
      isUnscanned({ createdAt, lastScan: scans.get(id)?.lastScan }, now),
  )
  if (isByScans(query)) found.sort((one, other) => direction * (totalOf(one) - totalOf(other)))
  return found.map(({ id }) => id)
}
