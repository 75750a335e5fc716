import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../../database/schema.ts'

/** Crockford's Base 32: nobody reads one letter for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: too many to try, even for somebody who has the hashes. */
const CHARACTERS = 16
const CODES = 10

/** Ten codes for the day when the phone is gone, such as `7k2m-x0q9-4hcd-n8vt`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % 32])
    return characters.join('').replace(/.{4}(?!$)/g, '$&-')
  })
}

/** The hash of a code as somebody typed it: in any case, with or without dashes, with O for 0. */
export function recoveryHash(typed: string): string {
  const plain = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return hash('sha256', plain, 'base64url')
}

/** New codes in place of the old ones. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: string[]) {
  await removeRecoveryCodes(db, userId)
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Uses a code up. @returns false where it is used already or was never one */
export async function spendRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function removeRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
