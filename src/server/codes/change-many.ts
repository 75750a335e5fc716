import { CURSOR_PAGE } from '#contract/codes/code-values.ts'
import type { CodesChange, CodesDeletion, CodesDone } from '#contract/codes/codes.ts'
import { type Actor, makeAs } from '../actor.ts'
import type { Entitlements, EntitlementsOf } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tx } from '../database/schema.ts'
import { AppError, invalidInput, refusedAt, refusedBelow } from '../http/errors.ts'
import { changeRow, deleteRow } from './change-code.ts'
import { type CodeRow, codeIdFrom, codesWithTag, listedByIds } from './codes-store.ts'
import type { CodeDeps, HashedChange } from './types.ts'

type Asked = Pick<CodesDeletion, 'ids' | 'tag' | 'dryRun'>

/**
 * Changes many codes, all or none; names those that are not as before.
 * @throws AppError as `changeCode`, and idempotency_key_reused
 */
export function changeMany(
  deps: CodeDeps,
  actor: Actor,
  { change, ...asked }: Omit<CodesChange, 'change'> & { change: HashedChange },
): Promise<CodesDone> {
  let plan: Promise<Entitlements> | undefined
  // It is the same for all of them.
  const entitlementsOf: EntitlementsOf = (tx) =>
    (plan ??= deps.entitlementsOf(tx, actor.workspaceId))
  return doMany(deps, actor, asked, async (tx, row) => {
    const { version } = await changeRow({ ...deps, entitlementsOf }, tx, actor, row, change)
    return version > row.version
  })
}

/** Moves many codes to the trash, all or none. @throws AppError code_not_found, invalid_input, idempotency_key_reused */
export function deleteMany(deps: CodeDeps, actor: Actor, asked: CodesDeletion): Promise<CodesDone> {
  return doMany(deps, actor, asked, async (tx, row) => {
    await deleteRow(deps, tx, actor, row)
    return true
  })
}

/** Undoes a transaction that has shown what a call would do. */
class DryRun extends Error {}

async function doMany(
  { db }: CodeDeps,
  actor: Actor,
  asked: Asked,
  work: (tx: Tx, row: CodeRow) => Promise<boolean>,
): Promise<CodesDone> {
  const done: CodesDone = { ids: [], dryRun: asked.dryRun }
  try {
    return await makeAs(db, actor, async (tx) => {
      const rows = await askedCodes(tx, actor.workspaceId, asked)
      done.ids = []
      for (const row of rows) {
        const isDone = await work(tx, row).catch((error) => Promise.reject(named(error, row)))
        if (isDone) done.ids.push(row.id)
      }
      if (asked.dryRun) throw new DryRun()
      return done
    })
  } catch (error) {
    if (error instanceof DryRun) return done
    throw error
  }
}

async function askedCodes(tx: Tx, workspaceId: WorkspaceId, { ids, tag = '' }: Asked) {
  if (ids) return codesById(tx, workspaceId, [...new Set(ids.map(codeIdFrom))])
  const rows = await codesWithTag(tx, workspaceId, tag, CURSOR_PAGE.max + 1)
  const most = CURSOR_PAGE.max.toLocaleString('en-US')
  if (rows.length === 0) throw invalidInput([{ path: 'tag', message: 'No QR code has this tag' }])
  if (rows.length <= CURSOR_PAGE.max) return rows
  const message = `More than ${most} QR codes have this tag. Send their ids in parts.`
  throw invalidInput([{ path: 'tag', message }])
}

/** The account's codes with these ids. @throws AppError code_not_found, which names each that is missing */
async function codesById(tx: Tx, workspaceId: WorkspaceId, ids: string[]): Promise<CodeRow[]> {
  const rows = await listedByIds(tx, workspaceId, ids)
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) throw refusedAt('code_not_found', ...missing.map((id) => `ids.${id}`))
  return rows
}

/** A refusal that also names the code that it is about */
function named(error: unknown, { id }: CodeRow): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, fields } = refusedBelow('change', error)
  return new AppError(code, message, { ...fields, [`ids.${id}`]: message })
}
