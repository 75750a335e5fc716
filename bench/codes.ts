import { type SeedCode, seedCodes } from '../scripts/seed/seed-codes.ts'
import type { WorkspaceId } from '../src/server/database/ids.ts'
import type { Db } from '../src/server/database/schema.ts'
import { Dice } from '../src/server/demo/dice.ts'

let made = 0

/** Puts saved codes straight into a migrated database, each with another number in this run. */
export function insertCodes(
  db: Db,
  count: number,
  owner = 'bench' as WorkspaceId,
): Promise<SeedCode[]> {
  const from = made
  made += count
  return seedCodes(db, { from, count, owners: [owner], madeAt: Date.now() })
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
