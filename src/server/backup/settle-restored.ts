import { countWhere } from '../database/rows.ts'
import type { Db } from '../database/schema.ts'
import { setMark } from '../database/service-marks.ts'
import { changedRows } from '../database/transact.ts'
import { utcDay } from '../dates.ts'

/** How many of each a restore has ended, paused or held */
export type Effects = Record<'sessions' | 'apps' | 'keys' | 'shares' | 'mails', number>

/**
 * Changes what must not go on as it was when the backup was made: a stranger may have had it, and the service
 * may go on elsewhere. It ends sessions, mailed links and connected apps, pauses keys and share links, holds mails and webhooks,
 * removes salts of past days, and reads plans again at the payment provider.
 */
export async function settleRestored(db: Db, now: Date): Promise<Effects> {
  const at = now.getTime()
  const sessions = await changedRows(db.deleteFrom('sessions'))
  const apps = await changedRows(db.deleteFrom('connected_apps'))
  await db.deleteFrom('oauth_records').execute()
  await db.deleteFrom('sign_ins').execute()
  await db.deleteFrom('mailed_links').execute()
  await db.deleteFrom('job_leases').execute()
  await db.deleteFrom('visitor_salts').where('day', '<', utcDay(at)).execute()
  await db.updateTable('customers').set({ reread_at: 0 }).execute()
  const keys = await changedRows(db.updateTable('api_keys').set({ paused_at: at }))
  const shares = await changedRows(db.updateTable('shares').set({ paused_at: at }))
  const mails = await countWhere(db, 'mails', {})
  await setMark(db, 'held', { at, value: '' })
  return { sessions, apps, keys, shares, mails }
}
