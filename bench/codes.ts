import { randomUUID } from 'node:crypto'
import { newShortCode } from '../src/server/codes/short-codes.ts'
import type { WorkspaceId } from '../src/server/database/ids.ts'
import type { Db, Tx } from '../src/server/database/schema.ts'
import { transact } from '../src/server/database/transact.ts'
import { Dice } from '../src/server/demo/dice.ts'

/** Where all codes of a bench lead. */
export const DESTINATION = 'https://example.com/where/people/want/to/go'

const ROWS_PER_STATEMENT = 500
const ROWS_PER_TRANSACTION = 20_000

export type BenchCode = { id: string; shortCode: string }

/** All short codes of this run: each is of one code only. */
const taken = new Set<string>()

function newKeys(count: number): string[] {
  const before = taken.size
  while (taken.size < before + count) taken.add(newShortCode())
  return [...taken].slice(before)
}

/** Puts saved codes straight into a migrated database, in no order; they are named Table 1, Table 2 and so on. */
export async function insertCodes(
  db: Db,
  count: number,
  owner = 'bench' as WorkspaceId,
): Promise<BenchCode[]> {
  const now = Date.now()
  const keys = newKeys(count)
  // Rows in the order of their indexes: a million in any other takes minutes.
  const [ids, sortedKeys] = [keys.map(() => randomUUID()).sort(), keys.toSorted()]
  const codes = sortedKeys.map((shortCode, index) => ({ id: ids[index] ?? '', shortCode }))
  for (let start = 0; start < count; start += ROWS_PER_TRANSACTION) {
    const end = Math.min(start + ROWS_PER_TRANSACTION, count)
    await transact(db, async (tx) => {
      for (let at = start; at < end; at += ROWS_PER_STATEMENT) {
        const part = codes.slice(at, Math.min(at + ROWS_PER_STATEMENT, end))
        await insertRows(tx, part, { owner, now, from: at })
      }
    })
  }
  const byKey = new Map(codes.map((code) => [code.shortCode, code]))
  return keys.map((key) => byKey.get(key) as BenchCode)
}

type Of = { owner: WorkspaceId; now: number; from: number }

async function insertRows(tx: Tx, codes: BenchCode[], { owner, now, from }: Of): Promise<void> {
  const rows = codes.map(({ id, shortCode }, index) => ({
    id,
    workspace_id: owner,
    name: `Table ${from + index + 1}`,
    url: DESTINATION,
    vanity_url: null,
    short_code: shortCode,
    style: 'classic',
    foreground_color: '#000000',
    background_color: '#FFFFFF',
    ecc: 'M',
    compact: 0,
    created_at: now,
    saved_at: now,
    paused_at: null,
    expires_at: null,
    deleted_at: null,
    legibility: null,
    legibility_of: null,
    version: 1,
    pass_query: 0,
  }))
  const paths = codes.map(({ id, shortCode }) => ({
    key: shortCode,
    code_id: id,
    since: now,
    kind: 'short' as const,
  }))
  await tx.insertInto('codes').values(rows).execute()
  await tx.insertInto('paths').values(paths).execute()
}

/** Draws `length` items by Zipf's law (exponent 1), the same each time. */
export function zipf<T>(items: T[], length: number): T[] {
  const cumulative: number[] = []
  let sum = 0
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank
    cumulative.push(sum)
  }
  const dice = new Dice('zipf')
  return Array.from({ length }, () => {
    const target = dice.between(0, sum)
    let [low, high] = [0, items.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return items[low] as T
  })
}
