import type { QrCode } from '#contract/codes.ts'
import { transact } from '../database/transact.ts'
import { AppError } from '../http/errors.ts'
import type { LifecycleDeps } from './change-code.ts'
import { publishCodes } from './code-news.ts'
import { findCode, updateCode } from './codes-store.ts'
import { keysOf } from './paths-store.ts'
import { presentCode } from './presenter.ts'
import { tagsOf } from './tags/tags-store.ts'
import { lockAccount } from './usage-store.ts'

/**
 * Takes the end from a code, on a plan whose codes do not end: an expired one works again at once.
 * @throws AppError code_not_found, revival_not_in_plan
 */
export async function reviveCode(deps: LifecycleDeps, userId: string, id: string): Promise<QrCode> {
  const { code, keys } = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await findCode(tx, userId, id)
    if (!row || row.saved_at === null) throw new AppError('code_not_found')
    const { expiryDays } = await deps.entitlementsOf(tx, userId)
    if (expiryDays !== null) throw new AppError('revival_not_in_plan')
    if (row.expires_at !== null) {
      await updateCode(tx, id, { expires_at: null })
      await deps.record(tx, 'code-revived', id)
      await publishCodes(deps, tx, 'code.updated', [{ ...row, expires_at: null }])
    }
    const tagsBy = await tagsOf(tx, userId, [id])
    const code = presentCode({ ...row, expires_at: null }, deps.publicUrl, tagsBy(row))
    return { code, keys: await keysOf(tx, id) }
  })
  deps.onCodeChanged(keys)
  return code
}
