import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#contract/time.ts'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import type { Metric } from '../../http/metrics.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import type { Job } from '../../jobs.ts'
import type { Drawings } from '../../pictures/drawings.ts'
import { ENGINE_VERSION, pictureVersion } from '../../pictures/picture-versions.ts'
import { type CodeRow, selectLive } from '../codes-store.ts'
import { savedDesign } from '../presenter.ts'
import { lookColumns } from '../rules.ts'
import type { CodesRoomDeps } from '../types.ts'

/** To be raised with every change of the scan check that may change a verdict. */
const CHECK_VERSION = 2

const SWEEP_MS = 10 * MINUTE_MS
/**
 * Most codes that wait at a time, of one account and of all: some minutes' work. The sweep finds the
 * others.
 */
const WAITING = { waitingEach: 200, waiting: 400 }

/** A check that failed is repeated once after this time. */
const AGAIN_MS = 20_000

type Deps = Pick<CodesRoomDeps, 'db' | 'reads' | 'log' | 'publicUrl'> & {
  drawings: Pick<Drawings, 'checkLook'>
}

/**
 * Stores the verdict on every saved code, one code after the other; accounts take turns. No save and
 * no answer waits for it. The sweep finds the codes that a stop or a failure left without a verdict.
 */
export class Verdicts {
  readonly #deps: Deps
  /** Part of each stored verdict: those of another engine, check or public address are outdated. */
  readonly #generation: string
  readonly #turns = new FairQueue({ atOnce: 1, atOnceEach: 1, ...WAITING })
  readonly #waiting = new Set<string>()
  readonly #unfinished = new Set<Promise<void>>()
  /** Codes whose checks failed, which the sweep takes last: they hold up no others */
  readonly #failed = new LRUCache<string, true>({ max: WAITING.waiting })
  readonly #end = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
    const decisive = JSON.stringify([ENGINE_VERSION, CHECK_VERSION, deps.publicUrl])
    this.#generation = hash('sha256', decisive, 'hex').slice(0, 8)
  }

  /** Checks a code soon, with the look that it has when its turn comes. */
  checkSoon(codeId: string, owner: WorkspaceId, isAgain = false) {
    if (this.#end.signal.aborted || this.#waiting.has(codeId)) return
    this.#waiting.add(codeId)
    const work = this.#takeTurn(codeId, owner, isAgain)
    this.#unfinished.add(work)
    work.then(() => this.#unfinished.delete(work))
  }

  sweep(): Job {
    const run = async () => {
      const failed = [...this.#failed.keys()]
      const asked = { generation: this.#generation, limit: WAITING.waitingEach, failed }
      const codes = await uncheckedCodes(this.#deps.reads, asked)
      for (const { id, workspace_id } of codes) this.checkSoon(id, workspace_id)
    }
    return { name: 'check-codes', everyMs: SWEEP_MS, run }
  }

  /** For GET /metrics. Codes that were refused a place are found by the sweep. */
  metrics(): Metric[] {
    return this.#turns.metrics('verdicts', 'Verdicts on saved codes')
  }

  /** Ends after the current check. */
  async stop() {
    this.#end.abort()
    await Promise.all(this.#unfinished)
  }

  /** Never rejects. */
  async #takeTurn(codeId: string, owner: WorkspaceId, isAgain: boolean) {
    const end = await this.#turns.begin(owner, this.#end.signal).catch(() => undefined)
    // A look that changes from now on is checked again.
    this.#waiting.delete(codeId)
    if (!end) return
    try {
      await this.#check(codeId)
      this.#failed.delete(codeId)
    } catch (error) {
      if (this.#end.signal.aborted) return
      this.#failed.set(codeId, true)
      this.#deps.log.warn({ err: error, code: codeId }, 'scan check failed; it is repeated later')
      // A busy machine may have time for it soon. Then the sweep finds it.
      if (!isAgain) setTimeout(() => this.checkSoon(codeId, owner, true), AGAIN_MS).unref()
    } finally {
      end()
    }
  }

  async #check(id: string) {
    const { db, publicUrl, drawings } = this.#deps
    const row = await selectLive(db).selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return
    const design = savedDesign(row, publicUrl)
    const asker = { owner: row.workspace_id, signal: this.#end.signal, isExempt: true }
    const { verdict } = await drawings.checkLook(design, asker)
    await storeVerdict(db, row, verdict, `${this.#generation}.${pictureVersion(design)}`)
  }
}

/**
 * Live codes without a verdict of this generation: every account's oldest code, then every account's
 * second, so that an account that changes thousands keeps no other waiting. Those that `failed` come last.
 */
export async function uncheckedCodes(
  db: Db,
  { generation, limit, failed = [] }: { generation: string; limit: number; failed?: string[] },
): Promise<Pick<CodeRow, 'id' | 'workspace_id'>[]> {
  let codes = selectLive(db)
    .select(['id', 'workspace_id'])
    .where((row) =>
      row.or([
        row('legibility_of', 'is', null),
        row('legibility_of', 'not like', `${generation}.%`),
      ]),
    )
  if (failed.length > 0) codes = codes.orderBy((row) => row('id', 'in', failed))
  return codes
    .orderBy(sql`row_number() over (partition by workspace_id order by created_at)`)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Stores the verdict on a row's look, unless the code's look has changed since that row was read. */
async function storeVerdict(db: Db, row: CodeRow, verdict: Verdict, of: string) {
  let update = db
    .updateTable('codes')
    .set({ legibility: verdict, legibility_of: of })
    .where('id', '=', row.id)
  for (const column of lookColumns) {
    update = update.where(column, 'is not distinct from', row[column])
  }
  await update.execute()
}
