import { randomUUID } from 'node:crypto'
import type { LookFields } from '#contract/pictures/pictures.ts'
import {
  type KeptStyle,
  type NewStyle,
  STYLES_MAX,
  type StyleChange,
} from '#contract/pictures/styles.ts'
import { type Actor, makeAs, transactAs } from '../../actor.ts'
import type { Entitlements } from '../../billing/types.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Tx } from '../../database/schema.ts'
import { AppError, refusedAt } from '../../http/errors.ts'
import { changeCodes } from '../change-code.ts'
import { type CodeRow, ownCodes } from '../codes-store.ts'
import { columnsOf, wantedArtwork } from '../rules.ts'
import type { CodeDeps } from '../types.ts'
import { refuseForeignLogo } from './logos.ts'
import {
  clearDefault,
  fieldsIn,
  insertStyle,
  listStyles,
  removeStyle,
  type StyleRow,
  updateStyle,
} from './styles-store.ts'

type Deps = Pick<CodeDeps, 'db' | 'clock' | 'entitlementsOf'>

export function presentStyle(row: StyleRow): KeptStyle {
  const { id, name, is_default, made_at } = row
  return {
    id,
    name,
    look: fieldsIn(row),
    isDefault: is_default === 1,
    createdAt: new Date(made_at).toISOString(),
  }
}

/**
 * Keeps a look under a name.
 * @throws AppError looks_full, look_name_taken, artwork_not_in_plan, invalid_input, idempotency_key_reused
 */
export function makeStyle(deps: Deps, actor: Actor, wanted: NewStyle): Promise<StyleRow> {
  const { workspaceId } = actor
  return makeAs(deps.db, actor, async (tx) => {
    const kept = await listStyles(tx, workspaceId)
    if (kept.length >= STYLES_MAX) throw new AppError('looks_full')
    refuseSameName(kept, '', wanted.name)
    const row: StyleRow = {
      id: randomUUID(),
      workspace_id: workspaceId,
      name: wanted.name,
      look: await allowedLook(deps, tx, workspaceId, wanted.look, null),
      is_default: Number(wanted.isDefault),
      made_at: deps.clock().getTime(),
    }
    if (wanted.isDefault) await clearDefault(tx, workspaceId)
    await insertStyle(tx, row)
    return row
  })
}

/** @throws AppError not_found, look_name_taken, artwork_not_in_plan, invalid_input */
export function changeStyle(
  deps: Deps,
  actor: Actor,
  id: string,
  { name, look, isDefault }: StyleChange,
): Promise<StyleRow> {
  const { workspaceId } = actor
  return transactAs(deps.db, actor, async (tx) => {
    const kept = await listStyles(tx, workspaceId)
    const row = ownStyle(kept, id)
    if (name !== undefined) refuseSameName(kept, id, name)
    if (isDefault) await clearDefault(tx, workspaceId)
    const changed: StyleRow = {
      ...row,
      name: name ?? row.name,
      look: look ? await allowedLook(deps, tx, workspaceId, look, fieldsIn(row).artwork) : row.look,
      is_default: isDefault === undefined ? row.is_default : Number(isDefault),
    }
    await updateStyle(tx, changed)
    return changed
  })
}

/** @throws AppError not_found */
function ownStyle(kept: readonly StyleRow[], id: string): StyleRow {
  const row = kept.find((each) => each.id === id)
  if (!row) throw new AppError('not_found')
  return row
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Refuses a name that another style of the account has, in whichever case.
 * @throws AppError look_name_taken
 */
function refuseSameName(kept: readonly StyleRow[], id: string, name: string): void {
  const isTaken = kept.some((row) => row.id !== id && folded(row.name) === folded(name))
  if (isTaken) throw refusedAt('look_name_taken', 'name')
}

/** The look as it is stored. */
async function allowedLook(
  { entitlementsOf }: Deps,
  tx: Tx,
  workspaceId: WorkspaceId,
  look: LookFields,
  current: LookFields['artwork'],
): Promise<string> {
  wantedArtwork(look, current && JSON.stringify(current), await entitlementsOf(tx, workspaceId))
  await refuseForeignLogo(tx, workspaceId, look.artwork)
  return JSON.stringify(look)
}

/** Codes that have it keep their look. @throws AppError not_found */
export async function deleteStyle({ db }: Deps, actor: Actor, id: string): Promise<void> {
  const wasThere = await transactAs(db, actor, (tx) => removeStyle(tx, actor.workspaceId, id))
  if (!wasThere) throw new AppError('not_found')
}

/**
 * Gives codes the look of a style, all of them or none, as if each was changed by hand. Returns how many look
 * different now.
 * @throws AppError not_found, code_not_found, artwork_not_in_plan
 */
export async function applyStyle(
  deps: CodeDeps,
  actor: Actor,
  id: string,
  codeIds: readonly string[],
): Promise<number> {
  const { workspaceId } = actor
  const changed = await changeCodes(deps, actor, async (tx) => {
    const look = fieldsIn(ownStyle(await listStyles(tx, workspaceId), id))
    const plan = await deps.entitlementsOf(tx, workspaceId)
    const rows = await ownCodes(tx, workspaceId, [...new Set(codeIds)])
    const differing = rows.filter((row) => isChangedBy(row, look, plan))
    return {
      ids: differing.map((row) => row.id),
      // A verdict belongs to one picture: none of these has one any more.
      columns: { ...columnsOf(look), legibility: null, legibility_of: null },
    }
  })
  return changed.length
}

/** Whether a code would look different. @throws AppError artwork_not_in_plan */
function isChangedBy(row: CodeRow, look: LookFields, plan: Entitlements): boolean {
  wantedArtwork(look, row.artwork, plan)
  return Object.entries(columnsOf(look)).some(
    ([column, value]) => row[column as keyof CodeRow] !== value,
  )
}
