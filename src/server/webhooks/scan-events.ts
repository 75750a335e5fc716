import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Listener, listenersTo } from './endpoints-store.ts'
import { addEvents } from './events-store.ts'
import { findMark, moveMark } from './marks-store.ts'
import { type LedgerScan, ScanTally } from './scan-tally.ts'

export type ScanEventsDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** The first id that a scan from this instant on can have. */
  firstScanId: (at: number) => string
  /** The next rows of the ledger between two ids, in their order. */
  scansAfter: (part: { after: string; until: string; limit: number }) => Promise<LedgerScan[]>
  /** The accounts and versions of codes, by id. */
  ownedCodes: (ids: string[]) => Promise<Map<string, { userId: string; version: number }>>
  /** Sends what waits; called after a commit. */
  soon: () => void
}

const MARK = 'scans'
/** An endpoint gets at most one event in this time. */
const EVERY_MS = 1_000
/** Processes bring their scans into the ledger one after the other: by then all have. */
const SETTLED_MS = 3_000
const ROWS_AT_ONCE = 5_000
/** Rows of one round: beyond them the next one goes on. */
const PARTS_A_ROUND = 20

/**
 * Queues events of scans by persons, one for each endpoint in a round. It reads the ledger of all accounts
 * from its mark on, and never touches the redirect or the transaction of a scan.
 */
export class ScanEvents {
  readonly #deps: ScanEventsDeps
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isStopped = false

  constructor(deps: ScanEventsDeps) {
    this.#deps = deps
  }

  /** Scans have come into the ledger. Their events are queued when those of other processes have come, too. */
  onScanned() {
    this.#later(SETTLED_MS)
  }

  /** Queues the events of all scans that the ledger has. It never rejects. */
  run(): Promise<void> {
    this.#round ??= this.#tryRound().finally(() => {
      this.#round = undefined
    })
    return this.#round
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#round
  }

  async #tryRound() {
    try {
      if (await this.#queue()) this.#later(EVERY_MS)
      this.#deps.soon()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'no events of scans yet')
      this.#later(SETTLED_MS)
    }
  }

  #later(ms: number) {
    if (this.#timer || this.#isStopped) return
    const run = () => {
      this.#timer = undefined
      void this.run()
    }
    this.#timer = setTimeout(run, ms).unref()
  }

  /** Returns whether there may be more. */
  async #queue(): Promise<boolean> {
    const { db, clock, firstScanId, scansAfter } = this.#deps
    const listeners = await listenersTo(db, 'code.scanned')
    const [earliest] = listeners.map(({ scans_from }) => scans_from).sort()
    if (earliest === undefined) return false
    const now = clock().getTime()
    const mark = await findMark(db, MARK)
    if (mark && mark.at <= now && now - mark.at < EVERY_MS) return true
    const tallies = new Map(listeners.map(({ id }) => [id, new ScanTally()]))
    const until = firstScanId(now - SETTLED_MS)
    let after = mark && mark.place > earliest ? mark.place : earliest
    let isFull = true
    for (let part = 0; isFull && part < PARTS_A_ROUND; part++) {
      const rows = await scansAfter({ after, until, limit: ROWS_AT_ONCE })
      await this.#tally(listeners, tallies, rows)
      isFull = rows.length === ROWS_AT_ONCE
      after = rows.at(-1)?.id ?? after
    }
    if (after !== mark?.place) {
      await transact(db, async (tx) => {
        if (!(await moveMark(tx, MARK, { from: mark, to: { at: now, place: after } }))) return
        for (const { id, user_id: userId } of listeners) {
          const tally = tallies.get(id)
          if (!tally || tally.isEmpty) continue
          const event = { userId, type: 'code.scanned' as const, endpoints: [id] }
          await addEvents(tx, event, [tally.data()], clock())
        }
      })
    }
    const later = await scansAfter({ after, until: '~', limit: 1 })
    return later.length > 0
  }

  async #tally(listeners: Listener[], tallies: Map<string, ScanTally>, rows: LedgerScan[]) {
    const persons = rows.filter(({ isPerson }) => isPerson)
    if (persons.length === 0) return
    const codes = await this.#deps.ownedCodes([...new Set(persons.map((scan) => scan.code_id))])
    const byOwner = Map.groupBy(listeners, ({ user_id }) => user_id)
    for (const scan of persons) {
      const code = codes.get(scan.code_id)
      if (!code) continue
      for (const { id, scans_from } of byOwner.get(code.userId) ?? []) {
        if (scan.id >= scans_from) tallies.get(id)?.add(scan, code.version)
      }
    }
  }
}
