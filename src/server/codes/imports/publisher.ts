import { randomUUID } from 'node:crypto'
import { HOUR_MS, SECOND_MS } from '#contract/time.ts'
import { serverFor, transactAs } from '../../actor.ts'
import { AppError } from '../../http/errors.ts'
import { type Job, leaseEnd } from '../../jobs.ts'
import { RepeatableTask } from '../../repeatable-task.ts'
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
  waitingImports,
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
 * steps. The job finds the imports that a killed process has left: a lease in the import's row keeps two processes
 * from one.
 */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #holder = randomUUID()
  readonly #wanted = new Set<string>()
  readonly #runs: RepeatableTask

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#runs = new RepeatableTask(() => this.#publishWanted())
  }

  /** Publishes an import soon. */
  soon(id: string) {
    this.#wanted.add(id)
    this.#runs.soon()
  }

  /** Publishing the imports that another process has left, and removing files that are not used. */
  jobs(): Job[] {
    const { db, clock } = this.#deps
    const publish = async () => {
      for (const id of await waitingImports(db, clock())) this.soon(id)
      await this.idle()
    }
    const sweep = async () => {
      await abandonOld(db, clock())
      await removeAbandoned(db)
    }
    return [
      { name: 'publish-imports', everyMs: LOOK_EVERY_MS, run: publish },
      { name: 'sweep-imports', everyMs: HOUR_MS, run: sweep },
    ]
  }

  /** Resolves when nothing is under way in this process. */
  idle(): Promise<void> {
    return this.#runs.idle()
  }

  /** Ends after the current step. Another process, or the next one, goes on. */
  stop(): Promise<void> {
    return this.#runs.stop()
  }

  async #publishWanted() {
    for (const id of this.#wanted) {
      if (this.#runs.isStopped) return
      this.#wanted.delete(id)
      await this.#publish(id).catch((err) =>
        this.#deps.log.error({ err, import: id }, 'an import is not published; it is tried again'),
      )
    }
  }

  async #publish(id: string) {
    const { db, clock } = this.#deps
    const taken = await takeImport(db, id, this.#holder, clock())
    if (!taken) return
    try {
      const published = taken.state === 'published' ? taken : await this.#create(taken)
      if (published) await this.#announce(published)
    } finally {
      await changeImport(db, { id, holder: this.#holder }, { holder: null, held_until: null })
    }
  }

  /** Undefined if the import cannot be published, which its row says then. */
  async #create(record: ImportRecord): Promise<ImportRecord | undefined> {
    const { id, rows } = record
    try {
      const began = performance.now()
      const published = await publishRows(this.#deps, record, this.#holder)
      const ms = Math.round(performance.now() - began)
      if (published) this.#deps.log.info({ import: id, rows, ms }, 'an import is published')
      return published
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await this.#refuse(record, error)
      return undefined
    }
  }

  async #refuse({ id }: ImportRecord, { code, message }: AppError) {
    const { db } = this.#deps
    const { lost_paths, losses } = await countRows(db, id)
    const fault = JSON.stringify({ code, message })
    const change = { state: 'checked' as const, fault, lost_paths, losses, done: 0 }
    await changeImport(db, { id, states: ['publishing'] }, change)
  }

  /** Announces the codes to redirects, webhooks and the check of pictures. */
  async #announce({ id, workspace_id, told, rows }: ImportRecord) {
    const { db, clock } = this.#deps
    for (let from = told; from < rows && !this.#runs.isStopped; from += STEP) {
      const isKept = await transactAs(db, serverFor(workspace_id), async (tx) => {
        const part = await rowsFrom(tx, id, { from, limit: STEP })
        const kept = await changeImport(
          tx,
          { id, holder: this.#holder, states: ['published'] },
          { told: from + part.length, held_until: leaseEnd(clock()) },
        )
        if (!kept) return false
        const ids = part.map(({ code_id }) => code_id)
        const codes = await listedByIds(tx, workspace_id, ids)
        await publishCodes(this.#deps, tx, 'code.created', codes)
        announceAfter(this.#deps, tx, codes, await keysOf(tx, ids))
        return true
      })
      // Another process has the import, or it was abandoned.
      if (!isKept) return
    }
  }
}
