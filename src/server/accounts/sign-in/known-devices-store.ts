import { hash } from 'node:crypto'
import type { Db } from '../../database/schema.ts'

/** Browsers that an account remembers; the one that was not seen for longest is forgotten first. */
const DEVICES_MAX = 20

const hashOf = (device: string) => hash('sha256', device, 'base64url')

/** Whether somebody has signed in to this account from this browser before. */
export async function isKnownDevice(db: Db, userId: string, device: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .where('hash', '=', hashOf(device))
    .executeTakeFirst()
  return row !== undefined
}

export async function hasDevices(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function rememberDevice(db: Db, userId: string, device: string, now: Date) {
  const seen = { seen_at: now.getTime() }
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, hash: hashOf(device), ...seen })
    .onConflict((conflict) => conflict.columns(['user_id', 'hash']).doUpdateSet(seen))
    .execute()
  const kept = db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .limit(DEVICES_MAX)
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('hash', 'not in', kept)
    .execute()
}

/** Of all browsers that an account knows, it keeps this one, if it knows it. */
export async function forgetOtherDevices(db: Db, userId: string, kept: string | undefined) {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('hash', '!=', kept === undefined ? '' : hashOf(kept))
    .execute()
}
