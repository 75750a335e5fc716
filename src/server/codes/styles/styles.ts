import { randomUUID } from 'node:crypto'
import type { LookChange, NewLook } from '#contract/pictures/looks.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { type LifecycleDeps, refuseForeignLogo } from '../change-code.ts'
import { publishCodes } from '../code-news.ts'
import { type CodeRow, ownCodes, updateCodes } from '../codes-store.ts'
import { wantedArtwork } from '../rules.ts'
import { lockAccount } from '../usage-store.ts'
import { columnsOf, isChangedBy, refuseSameName, refuseTooMany } from './style-rules.ts'
import {
  clearDefault,
  fieldsIn,
  findLook,
  insertLook,
  type LookRow,
  listLooks,
  removeLook,
  updateLook,
} from './styles-store.ts'

type Deps = Pick<LifecycleDeps, 'db' | 'clock' | 'entitlementsOf'>

/** Keeps a look under a name. @throws AppError looks_full, look_name_taken, artwork_not_in_plan, invalid_input */
export async function keepLook(deps: Deps, userId: string, wanted: NewLook): Promise<LookRow> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const kept = await listLooks(tx, userId)
    refuseTooMany(kept)
    refuseSameName(kept, '', wanted.name)
    const row: LookRow = {
      id: randomUUID(),
      user_id: userId,
      name: wanted.name,
      look: await allowedLook(deps, tx, userId, wanted.look, null),
      is_default: Number(wanted.isDefault),
      made_at: deps.clock().getTime(),
    }
    if (wanted.isDefault) await clearDefault(tx, userId)
    await insertLook(tx, row)
    return row
  })
}

/** @throws AppError not_found, look_name_taken, artwork_not_in_plan, invalid_input */
export async function changeLook(
  deps: Deps,
  userId: string,
  id: string,
  { name, look, isDefault }: LookChange,
): Promise<LookRow> {
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await ownLook(tx, userId, id)
    if (name !== undefined) refuseSameName(await listLooks(tx, userId), id, name)
    if (isDefault) await clearDefault(tx, userId)
    const changed: LookRow = {
      ...row,
      name: name ?? row.name,
      look: look ? await allowedLook(deps, tx, userId, look, fieldsIn(row).artwork) : row.look,
      is_default: isDefault === undefined ? row.is_default : Number(isDefault),
    }
    await updateLook(tx, changed)
    return changed
  })
}

/** The look as it is stored. */
async function allowedLook(
  { entitlementsOf }: Deps,
  tx: Tx,
  userId: string,
  look: NewLook['look'],
  current: NewLook['look']['artwork'],
): Promise<string> {
  wantedArtwork(look, current && JSON.stringify(current), await entitlementsOf(tx, userId))
  await refuseForeignLogo(tx, userId, look.artwork)
  return JSON.stringify(look)
}

async function ownLook(tx: Tx, userId: string, id: string): Promise<LookRow> {
  const row = await findLook(tx, userId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** Codes that have it keep their look. @throws AppError not_found */
export async function forgetLook({ db }: Deps, userId: string, id: string): Promise<void> {
  const wasThere = await transact(db, async (tx) => {
    await lockAccount(tx, userId)
    return removeLook(tx, userId, id)
  })
  if (!wasThere) throw new AppError('not_found')
}

type ApplyDeps = Deps &
  Pick<LifecycleDeps, 'record' | 'onUnchecked' | 'publish' | 'publicUrl' | 'onCodeChanged'>

/**
 * Gives codes a kept look, all of them or none, as if each was changed by hand. Answers how many look
 * different now.
 * @throws AppError not_found, code_not_found, artwork_not_in_plan
 */
export async function applyLook(
  deps: ApplyDeps,
  userId: string,
  id: string,
  codeIds: readonly string[],
): Promise<number> {
  const changed = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const look = fieldsIn(await ownLook(tx, userId, id))
    const plan = await deps.entitlementsOf(tx, userId)
    const rows = await ownCodes(tx, userId, [...new Set(codeIds)])
    const differing = rows.filter((row) => isChangedBy(row, look, plan))
    await changeAll(tx, differing, columnsOf(look))
    for (const row of differing) await deps.record(tx, 'code-changed', row.id)
    const ids = differing.map((row) => row.id)
    if (ids.length > 0) {
      await publishCodes(deps, tx, 'code.updated', await ownCodes(tx, userId, ids))
    }
    return differing
  })
  // No name leads elsewhere now.
  deps.onCodeChanged([])
  for (const row of changed) deps.onUnchecked(row.id, userId)
  return changed.length
}

/** A verdict belongs to one picture: none of these has one any more. */
async function changeAll(tx: Tx, rows: readonly CodeRow[], look: ReturnType<typeof columnsOf>) {
  const ids = rows.map((row) => row.id)
  await updateCodes(tx, ids, { ...look, legibility: null, legibility_of: null })
}
