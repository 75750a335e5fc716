import { randomUUID } from 'node:crypto'
import { newShortCode } from '../src/server/codes/paths-store.ts'
import { connect } from '../src/server/database/connect.ts'

type Kind = { owner: string; nameOf: (shortCode: string, index: number) => string }

const ANYBODYS: Kind = { owner: 'bench', nameOf: (shortCode) => shortCode }

/** All that this run has put in: a path is of one code only, however often codes are added. */
const taken = new Set<string>()

function newKeys(count: number): string[] {
  const before = taken.size
  while (taken.size < before + count) taken.add(newShortCode())
  return [...taken].slice(before)
}

/** Puts saved codes into a SQLite database that the server has migrated; answers their short codes. */
export async function insertCodes(
  file: string,
  count: number,
  url: string,
  { owner, nameOf } = ANYBODYS,
): Promise<string[]> {
  const { db, close } = connect({ engine: 'sqlite', file }, () => {})
  const now = Date.now()
  const keys = newKeys(count)
  const codes = keys.map((short_code, index) => ({
    id: randomUUID(),
    user_id: owner,
    name: nameOf(short_code, index),
    url,
    vanity_url: null,
    short_code,
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
  }))
  const paths = codes.map(({ id, short_code }) => ({
    key: short_code,
    code_id: id,
    kind: 'short' as const,
    since: now,
  }))
  for (let start = 0; start < count; start += CHUNK) {
    await db
      .insertInto('codes')
      .values(codes.slice(start, start + CHUNK))
      .execute()
    await db
      .insertInto('paths')
      .values(paths.slice(start, start + CHUNK))
      .execute()
  }
  await close()
  return keys
}

const CHUNK = 500

/** Draws `length` items by Zipf's law (exponent 1), from a fixed seed. */
export function zipf<T>(items: T[], length: number): T[] {
  const cumulative: number[] = []
  let sum = 0
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank
    cumulative.push(sum)
  }
  const random = seeded(20_261_120)
  return Array.from({ length }, () => {
    const target = random() * sum
    let [low, high] = [0, items.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return items[low] as T
  })
}

/** Mulberry32: small, fast and good enough to spread load. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
