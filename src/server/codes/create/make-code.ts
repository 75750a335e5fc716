import type { NewCode, QrCode } from '#contract/codes.ts'
import { transact } from '../../database/transact.ts'
import type { IdempotencyRecord } from '../../http/idempotency-record.ts'
import { changeRow, type LifecycleDeps, newDraft } from '../change-code.ts'
import { insertCode } from '../codes-store.ts'
import { refuseOwnLinks } from '../rules.ts'
import { lookOfNew } from '../styles/styles-store.ts'
import { lockAccount } from '../usage-store.ts'

/**
 * Makes a code in one call: what a draft and its first change do, in one transaction. It begins with the
 * look of the account's default style. With `once`, a call that made one before is answered that one.
 * @throws AppError as `changeCode`, and idempotency_key_reused
 */
export async function makeCode(
  deps: LifecycleDeps,
  userId: string,
  wanted: NewCode,
  once?: IdempotencyRecord,
): Promise<{ code: QrCode; isReplayed: boolean }> {
  refuseOwnLinks(wanted.url, deps.publicUrl)
  const { code, keys } = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const before = await once?.answer(tx)
    if (before !== undefined) return { code: JSON.parse(before) as QrCode, keys: undefined }
    const entitlements = await deps.entitlementsOf(tx, userId)
    const look = await lookOfNew(tx, userId, entitlements)
    // The change that follows makes it version 1.
    const draft = { ...(await newDraft(tx, userId, look, deps.clock())), version: 0 }
    await insertCode(tx, draft)
    const made = await changeRow(deps, tx, draft, wanted, entitlements)
    await once?.keep(tx, JSON.stringify(made.code))
    return made
  })
  if (!keys) return { code, isReplayed: true }
  deps.onCodeChanged(keys)
  deps.onUnchecked(code.id, userId)
  return { code, isReplayed: false }
}
