import type { ImportRowChange } from '#contract/imports.ts'
import { type Actor, transactAs } from '../../actor.ts'
import { AppError } from '../../http/errors.ts'
import type { CodeDeps } from '../types.ts'
import {
  changeImport,
  checkPaths,
  countRows,
  type ImportRecord,
  ownImport,
  rowNumbered,
  type StagedRow,
  settlePath,
  updateRow,
} from './imports-store.ts'
import { settleAgain } from './kept-parts.ts'
import { readerOf, textsOf } from './read-import.ts'

type Deps = Pick<CodeDeps, 'db' | 'clock' | 'publicUrl' | 'entitlementsOf'>
type Which = { id: string; row: number }

/**
 * Changes cells of a row, and checks it again beside the other ones.
 * @throws AppError not_found, import_not_ready, and invalid_input for a field that no column is read as
 */
export async function changeRow(
  deps: Deps,
  actor: Actor,
  { id, row }: Which,
  change: ImportRowChange,
): Promise<{ record: ImportRecord; row: StagedRow }> {
  return transactAs(deps.db, actor, async (tx) => {
    const record = await ownImport(tx, actor.workspaceId, id)
    if (record.state !== 'checked') throw new AppError('import_not_ready')
    const before = await rowNumbered(tx, record.id, row)
    if (!before) throw new AppError('not_found')
    const reader = readerOf(record, deps)
    const cells = reader.changed(JSON.parse(before.cells), change)
    const read = reader.read({ row, cells })
    const plan = await deps.entitlementsOf(tx, actor.workspaceId)
    await updateRow(tx, before, textsOf(read))
    for (const path of new Set([before.path, read.path])) {
      if (path !== null) await settlePath(tx, record.id, path)
    }
    await checkPaths(tx, record, plan)
    await settleAgain(tx, record, plan)
    const found = { ...(await countRows(tx, record.id)), fault: null }
    const changed = await changeImport(tx, { id: record.id, states: ['checked'] }, found)
    const after = await rowNumbered(tx, record.id, row)
    if (!changed || !after) throw new AppError('import_not_ready')
    return { record: changed, row: after }
  })
}
