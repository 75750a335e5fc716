import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Job } from '../../jobs/job-runner.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { publishCodes } from '../code-news.ts'
import { listedByIds } from '../codes-store.ts'
import { namesOf, newShortCode } from '../paths-store.ts'
import { lockAccount } from '../usage-store.ts'
import { refuseLostPaths, type Wanted } from './ask-publish.ts'
import {
  changeImport,
  countLostPaths,
  type ImportRecord,
  keepImport,
  leaveImport,
  rowsFrom,
  setLostPath,
  setShortCode,
  takeImport,
  takenKeys,
  waitingImports,
} from './imports-store.ts'
import { type SwitchDeps, switchImport } from './publish-rows.ts'
import { PATH_NOT_IN_PLAN, TAKEN_PATH } from './row-reader.ts'

export type PublisherDeps = SwitchDeps &
  Pick<LifecycleDeps, 'publicUrl' | 'publish' | 'onCodeChanged' | 'onUnchecked'> & {
    log: FastifyBaseLogger
  }

/** Rows in one short transaction. */
const STEP = 250
const LOOK_EVERY_MS = 30_000

/** Another process has the import, or nobody wants it any more. */
class LetGo extends Error {}

/**
 * Publishes imports, one after the other: makes their rows ready in short steps, makes codes of all of
 * them at once, and then tells of these in short steps. What a process that was killed has left, the job
 * finds: a lease in the import's row keeps two processes from one.
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
      // Somebody may have asked in the last moment.
      if (this.#wanted.size > 0) this.#start()
    })
  }

  job(): Job {
    const run = async () => {
      const { db, clock } = this.#deps
      for (const id of await waitingImports(db, clock())) this.soon(id)
      await this.idle()
    }
    return { name: 'publish-imports', everyMs: LOOK_EVERY_MS, run }
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
        if (error instanceof LetGo) return
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
      const published = taken.state === 'published' ? taken : await this.#switch(taken)
      if (published) await this.#tell(published)
    } finally {
      await leaveImport(db, id, this.#holder)
    }
  }

  /** Undefined where this process stops, or where the import cannot be: then it says why. */
  async #switch(record: ImportRecord): Promise<ImportRecord | undefined> {
    const { db } = this.#deps
    try {
      for (let from = record.done; from < record.rows; from += STEP) {
        if (this.#isStopped) return undefined
        await this.#prepare(record, from)
      }
      const wanted = JSON.parse(record.wanted ?? '{}') as Wanted
      refuseLostPaths(await countLostPaths(db, record.id), wanted)
      if (this.#isStopped) return undefined
      const began = performance.now()
      const published = await switchImport(this.#deps, record, this.#holder)
      const { id, rows } = record
      const ms = Math.round(performance.now() - began)
      if (published) this.#deps.log.info({ import: id, rows, ms }, 'an import is published')
      return published
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await this.#refuse(record, error)
      return undefined
    }
  }

  /** Looks at some rows again: whose custom path is not free any more, or is by now. */
  async #prepare({ id, user_id }: ImportRecord, from: number) {
    const { db, clock, entitlementsOf } = this.#deps
    await transact(db, async (tx) => {
      const rows = await rowsFrom(tx, id, { from, limit: STEP })
      const step = { done: from + rows.length }
      const mine = { id, holder: this.#holder, state: 'publishing' } as const
      if (!(await keepImport(tx, mine, step, clock()))) throw new LetGo()
      const { customPaths } = await entitlementsOf(tx, user_id)
      const asked = rows.filter(
        ({ lost_path }) =>
          lost_path === null || lost_path === TAKEN_PATH || lost_path === PATH_NOT_IN_PLAN,
      )
      const taken = await takenKeys(
        tx,
        rows.flatMap(({ path, short_code }) => (path === null ? short_code : [path, short_code])),
      )
      const isLost = ({ path }: { path: string | null }) => path !== null && taken.has(path)
      const withPath = asked.filter(({ path }) => path !== null)
      const numbers = (some: typeof rows) => some.map(({ n }) => n)
      if (customPaths) {
        const found = withPath.filter((row) => row.lost_path && !isLost(row))
        await setLostPath(tx, id, numbers(found), null)
        await setLostPath(tx, id, numbers(withPath.filter(isLost)), TAKEN_PATH)
      } else {
        await setLostPath(tx, id, numbers(withPath), PATH_NOT_IN_PLAN)
      }
      for (const { n, short_code } of rows) {
        if (taken.has(short_code)) await setShortCode(tx, id, n, newShortCode())
      }
    })
  }

  async #refuse({ id }: ImportRecord, { code, message }: AppError) {
    const { db } = this.#deps
    const fault = JSON.stringify({ code, message })
    const lost_paths = await countLostPaths(db, id)
    const change = { state: 'checked' as const, fault, lost_paths, done: 0 }
    await changeImport(db, { id, states: ['publishing'] }, change)
  }

  /** Tells redirects, webhooks and the check of pictures of the codes. */
  async #tell({ id, user_id, told, rows }: ImportRecord) {
    const { db, clock, onCodeChanged, onUnchecked } = this.#deps
    for (let from = told; from < rows; from += STEP) {
      if (this.#isStopped) return
      const codes = await transact(db, async (tx) => {
        await lockAccount(tx, user_id)
        const part = await rowsFrom(tx, id, { from, limit: STEP })
        const mine = { id, holder: this.#holder, state: 'published' } as const
        if (!(await keepImport(tx, mine, { told: from + part.length }, clock()))) throw new LetGo()
        const codes = await listedByIds(
          tx,
          user_id,
          part.map(({ code_id }) => code_id),
        )
        await publishCodes(this.#deps, tx, 'code.created', codes)
        return codes
      })
      onCodeChanged(namesOf(codes))
      for (const { id } of codes) onUnchecked(id, user_id)
    }
  }
}
