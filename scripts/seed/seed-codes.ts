import { hash } from 'node:crypto'
import { DAY_MS } from '#contract/time.ts'
import {
  type Derive,
  deriveKey,
  hashPassword,
} from '../../src/server/accounts/passwords/passwords.ts'
import { createAccount } from '../../src/server/accounts/users-store.ts'
import { givenPlan, saveSubscription } from '../../src/server/billing/subscriptions-store.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import { ownWorkspaceOf } from '../../src/server/memberships.ts'

/** All accounts of a seed have it. */
export const SEED_PASSWORD = 'seven amber kettles'
export const seedEmail = (number: number) => `seed-${number}@example.com`

/** Codes in one statement: SQLite takes 32,766 values */
const BATCH = 2_000
/** Where all codes lead. */
export const DESTINATION = 'https://example.com/where/people/want/to/go'
/** Short codes are of these letters; server/codes/paths-store.ts says why. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'
const SHORT_CODE_LENGTH = 7

export type SeedCode = { id: string; shortCode: string }

type NewCodes = { from?: number; count: number; owners: WorkspaceId[]; madeAt: number }

/** Makes accounts without a limit, but not more than codes. Returns their ids. */
export async function seedAccounts(
  db: Db,
  { codes, accounts, now }: { codes: number; accounts: number; now: number },
): Promise<WorkspaceId[]> {
  const ids: WorkspaceId[] = []
  const derive: Derive = async (password, salt) => deriveKey(password, salt)
  const credential = { password: await hashPassword(SEED_PASSWORD, derive) }
  for (let number = 1; number <= Math.min(accounts, codes); number++) {
    const person = { name: `Seed ${number}`, email: seedEmail(number), emailVerified: true }
    const given = { ...person, credential }
    const user = await transact(db, (tx) => createAccount(tx, given, new Date(now)))
    const workspaceId = await ownWorkspaceOf(db, user.id)
    const year = 365 * DAY_MS
    const plan = givenPlan({
      workspaceId,
      tier: 'unlimited',
      at: now - year,
      until: now + year,
    })
    await transact(db, (tx) => saveSubscription(tx, plan, async () => []))
    const used = Math.ceil((codes - number + 1) / accounts)
    await db.insertInto('code_usage').values({ workspace_id: workspaceId, used }).execute()
    ids.push(workspaceId)
  }
  return ids
}

/**
 * Saves codes that take turns with the accounts: Table 1, Table 2 and so on. `from` is the number of those that are
 * there already. The same number has the same id and short code each time.
 */
export async function seedCodes(
  db: Db,
  { from = 0, count, owners, madeAt }: NewCodes,
): Promise<SeedCode[]> {
  const made: SeedCode[] = []
  for (let start = from; start < from + count; start += BATCH) {
    const codes = Array.from({ length: Math.min(BATCH, from + count - start) }, (_, index) => {
      const number = start + index
      return {
        id: uuidOf(number),
        workspace_id: owners[number % owners.length] as WorkspaceId,
        url: DESTINATION,
        name: `Table ${number + 1}`,
        short_code: shortCodeOf(number),
        style: 'classic',
        foreground_color: '#000000',
        background_color: '#FFFFFF',
        ecc: 'M',
        compact: 0,
        version: 1,
        checks_destination: 1,
        fallback_when_dead: 0,
        pass_query: 0,
        created_at: madeAt,
        saved_at: madeAt,
      }
    })
    const paths = codes.map(({ id, short_code }) => ({
      key: short_code,
      code_id: id,
      kind: 'short' as const,
      since: madeAt,
    }))
    await transact(db, async (tx) => {
      await tx.insertInto('codes').values(codes).execute()
      await tx.insertInto('paths').values(paths).execute()
    })
    for (const { id, short_code: shortCode } of codes) made.push({ id, shortCode })
  }
  return made
}

function uuidOf(number: number): string {
  const digits = hash('sha256', `code ${number}`)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...parts, `a${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')
}

/** Different for each number below 27^7: the step has no divisor in common with it. */
function shortCodeOf(number: number): string {
  const all = BigInt(ALPHABET.length) ** BigInt(SHORT_CODE_LENGTH)
  let left = (BigInt(number) * 6_180_339_889n + 271_828_182n) % all
  let text = ''
  for (let index = 0; index < SHORT_CODE_LENGTH; index++) {
    text += ALPHABET[Number(left % BigInt(ALPHABET.length))]
    left /= BigInt(ALPHABET.length)
  }
  return text
}
