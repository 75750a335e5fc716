import { randomUUID } from 'node:crypto'
import { HOUR_MS, SECOND_MS } from '#contract/time.ts'
import { serverFor, transactAs } from '../../actor.ts'
import { dueQueue } from '../../due-queue.ts'
import { AppError } from '../../http/errors.ts'
import { type Job, leaseEnd } from '../../jobs.ts'
import { announceAfter, publishCodes } from '../announce-codes.ts'
import { listedByIds } from '../codes-store.ts'
import { keysOf } from '../paths-store.ts'
import type { CodeDeps, CodesRoomDeps } from '../types.ts'
import {
  abandonOld,
  changeImport,
  countRows,
  type ImportRecord,
  removeAbandoned,
  rowsFrom,
  takeImport,
} from './imports-store.ts'
import { type PublishDeps, publishRows } from './publish-import.ts'

export type PublisherDeps = PublishDeps &
  Pick<CodesRoomDeps, 'publicUrl' | 'publish' | 'onCodeChanged' | 'log'> &
  Pick<CodeDeps, 'onUnchecked'>

/** Rows in one short transaction. */
const STEP = 250
const LOOK_EVERY_MS = 30 * SECOND_MS

/**
 * Publishes imports, one after the other: creates the codes of all rows at once, and then announces these in short
 * steps, each of which makes the lease of the import longer.
 */
export function importPublisher(deps: PublisherDeps) {
  const { db, clock, log } = deps
  const holder = randomUUID()
  const queue = dueQueue({
    name: 'imports',
    atOnce: 1,
    log,
    take: () => takeImport(db, holder, clock()),
    work: async (taken) => {
      const published = taken.state === 'published' ? taken : await create(taken)
      if (published) await announce(published)
      await changeImport(db, { id: taken.id, holder }, { holder: null, held_until: null })
    },
  })

  /** Undefined if the import cannot be published, which its row says then. */
  async function create(record: ImportRecord): Promise<ImportRecord | undefined> {
    const { id, rows } = record
    try {
      const began = performance.now()
      const published = await publishRows(deps, record, holder)
      const ms = Math.round(performance.now() - began)
      if (published) log.info({ import: id, rows, ms }, 'an import is published')
      return published
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await refuse(record, error)
      return undefined
    }
  }

  async function refuse({ id }: ImportRecord, { code, message }: AppError) {
    const { lost_paths, losses } = await countRows(db, id)
    const fault = JSON.stringify({ code, message })
    const change = { state: 'checked' as const, fault, lost_paths, losses, done: 0 }
    await changeImport(db, { id, states: ['publishing'] }, change)
  }

  /** Announces the codes to redirects, webhooks and the check of pictures. */
  async function announce({ id, workspace_id, told, rows }: ImportRecord) {
    for (let from = told; from < rows && !queue.isStopped(); from += STEP) {
      const isKept = await transactAs(db, serverFor(workspace_id), async (tx) => {
        const part = await rowsFrom(tx, id, { from, limit: STEP })
        const kept = await changeImport(
          tx,
          { id, holder, states: ['published'] },
          { told: from + part.length, held_until: leaseEnd(clock()) },
        )
        if (!kept) return false
        const ids = part.map(({ code_id }) => code_id)
        const codes = await listedByIds(tx, workspace_id, ids)
        await publishCodes(deps, tx, codes, { type: 'code.created' })
        announceAfter(deps, tx, codes, await keysOf(tx, ids))
        return true
      })
      // Another process has the import, or it was abandoned.
      if (!isKept) return
    }
  }

  async function publish() {
    queue.soon()
    await queue.idle()
  }
  async function sweep() {
    await abandonOld(db, clock())
    await removeAbandoned(db)
  }
  const jobs: Job[] = [
    { name: 'publish-imports', everyMs: LOOK_EVERY_MS, run: publish },
    { name: 'sweep-imports', everyMs: HOUR_MS, run: sweep },
  ]
  return { ...queue, jobs }
}
