import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { HOUR_MS, SECOND_MS } from '#contract/time.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Job } from '../../jobs.ts'
import { listedByIds, lockAccount } from '../codes-store.ts'
import { tellOfNew } from '../create-codes.ts'
import { publishCodes } from '../presenter.ts'
import type { CodeDeps } from '../types.ts'
import {
  abandonOld,
  changeImport,
  countRows,
  type ImportRecord,
  keepImport,
  leaveImport,
  removeAbandoned,
  rowsFrom,
  takeImport,
  waitingImports,
} from './imports-store.ts'
import { type PublishDeps, publishRows } from './publish-import.ts'

export type PublisherDeps = PublishDeps &
  Pick<CodeDeps, 'publicUrl' | 'publish' | 'onCodeChanged' | 'onUnchecked'> & {
    log: FastifyBaseLogger
  }

/** Rows in one short transaction. */
const STEP = 250
const LOOK_EVERY_MS = 30 * SECOND_MS

/**
 * Publishes imports, one after the other: creates the codes of all rows at once, and then tells of these in short
 * steps. What a process that was killed has left, the job finds: a lease in the import's row keeps two processes
 * from one.
 */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #holder = randomUUID()
  readonly #wanted = new Set<string>()
  #work: Promise<void> | undefined
  #isStopped = false

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  /** Publishes an import soon. */
  soon(id: string) {
    this.#wanted.add(id)
    this.#start()
  }

  #start() {
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined
      // An import may have been asked for in the last moment.
      if (this.#wanted.size > 0) this.#start()
    })
  }

  /** Publishing what another process has left, and the end of files that nobody used. */
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
  async idle(): Promise<void> {
    while (this.#work) await this.#work
  }

  /** Ends after the current step. Another process, or the next one, goes on. */
  async stop() {
    this.#isStopped = true
    await this.idle()
  }

  /** Never rejects. */
  async #run() {
    for (const id of this.#wanted) {
      this.#wanted.delete(id)
      if (this.#isStopped) continue
      await this.#publish(id).catch((error) => {
        this.#deps.log.error(
          { err: error, import: id },
          'an import is not published; it is tried again',
        )
      })
    }
  }

  async #publish(id: string) {
    const { db, clock } = this.#deps
    const taken = await takeImport(db, id, this.#holder, clock())
    if (!taken) return
    try {
      const published = taken.state === 'published' ? taken : await this.#create(taken)
      if (published) await this.#tell(published)
    } finally {
      await leaveImport(db, id, this.#holder)
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
    const { lost_paths } = await countRows(db, id)
    const fault = JSON.stringify({ code, message })
    const change = { state: 'checked' as const, fault, lost_paths, done: 0 }
    await changeImport(db, { id, states: ['publishing'] }, change)
  }

  /** Tells redirects, webhooks and the check of pictures of the codes. */
  async #tell({ id, user_id, told, rows }: ImportRecord) {
    const { db, clock } = this.#deps
    for (let from = told; from < rows; from += STEP) {
      if (this.#isStopped) return
      const codes = await transact(db, async (tx) => {
        await lockAccount(tx, user_id)
        const part = await rowsFrom(tx, id, { from, limit: STEP })
        const mine = { id, holder: this.#holder, state: 'published' } as const
        const isKept = await keepImport(tx, mine, { told: from + part.length }, clock())
        if (!isKept) return undefined
        const codes = await listedByIds(
          tx,
          user_id,
          part.map(({ code_id }) => code_id),
        )
        await publishCodes(this.#deps, tx, 'code.created', codes)
        return codes
      })
      // Another process has the import, or it was abandoned.
      if (!codes) return
      tellOfNew(this.#deps, codes)
    }
  }
}
