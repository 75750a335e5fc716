import { type ScanNews, scanFacts } from '#contract/integrations/webhook-events.ts'
import type { z } from '#contract/zod.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { afterCommit, transact } from '../database/transact.ts'
import { RepeatableTask } from '../repeatable-task.ts'
import type { RoomDeps } from '../room.ts'
import type { EndpointsDeps } from './endpoints.ts'
import { type Listener, listenersTo } from './endpoints-store.ts'
import { addEvents, findMark, moveMark } from './events-store.ts'

export type ScanEventsDeps = Pick<RoomDeps, 'db' | 'clock' | 'log'> &
  Pick<EndpointsDeps, 'firstScanId' | 'soon'> & {
    /** The next rows of the ledger between two ids, in their order. */
    scansAfter: (part: { after: string; until: string; limit: number }) => Promise<LedgerScan[]>
    /** Milliseconds after which the ledger has the scans of all processes */
    settledMs: number
    /** The accounts and versions of codes, by id. */
    ownedCodes: (
      ids: string[],
    ) => Promise<Map<string, { workspaceId: WorkspaceId; version: number }>>
  }

/** A scan as the ledger has it. */
export type LedgerScan = {
  id: string
  code_id: string
  at: number
  first: number
  isPerson: boolean
} & z.infer<typeof scanFacts>

const MARK = 'scans'
/** An endpoint gets at most one event in this time. */
const EVERY_MS = 1_000
const ROWS_AT_ONCE = 5_000
/** Rows of one round: beyond them the next one goes on. */
const PARTS_A_ROUND = 20

/**
 * Queues events of scans by persons, one for each endpoint in a round. It reads the ledger of all accounts
 * from its mark on, and never touches the redirect or the transaction of a scan.
 */
export function scanEvents(deps: ScanEventsDeps) {
  const { db, clock, log, firstScanId, scansAfter, settledMs, soon } = deps
  const rounds = new RepeatableTask(async () => {
    try {
      if (await queue()) rounds.after(EVERY_MS)
    } catch (error) {
      log.warn({ err: error }, 'no events of scans yet')
      rounds.after(settledMs)
    }
  })

  async function queue(): Promise<boolean> {
    const listeners = await listenersTo(db, 'code.scanned')
    const [earliest] = listeners.map(({ scans_from }) => scans_from).sort()
    if (earliest === undefined) return false
    const now = clock().getTime()
    const mark = await findMark(db, MARK)
    if (mark && mark.at <= now && now - mark.at < EVERY_MS) return true
    const tallies = new Map(listeners.map(({ id }) => [id, new ScanTally()]))
    const until = firstScanId(now - settledMs)
    let after = mark && mark.place > earliest ? mark.place : earliest
    let isFull = true
    for (let part = 0; isFull && part < PARTS_A_ROUND; part++) {
      const rows = await scansAfter({ after, until, limit: ROWS_AT_ONCE })
      await addScans(listeners, tallies, rows)
      isFull = rows.length === ROWS_AT_ONCE
      after = rows.at(-1)?.id ?? after
    }
    if (after !== mark?.place) {
      await transact(db, async (tx) => {
        if (!(await moveMark(tx, MARK, { from: mark, to: { at: now, place: after } }))) return
        for (const { id, workspace_id: workspaceId } of listeners) {
          const data = tallies.get(id)?.data()
          if (!data?.total) continue
          const event = { workspaceId, type: 'code.scanned' as const, endpoints: [id] }
          await addEvents(tx, event, [data], clock())
          afterCommit(tx, soon)
        }
      })
    }
    const later = await scansAfter({ after, until: '~', limit: 1 })
    return later.length > 0
  }

  async function addScans(
    listeners: Listener[],
    tallies: Map<string, ScanTally>,
    rows: LedgerScan[],
  ) {
    const persons = rows.filter(({ isPerson }) => isPerson)
    if (persons.length === 0) return
    const codes = await deps.ownedCodes([...new Set(persons.map((scan) => scan.code_id))])
    const byOwner = Map.groupBy(listeners, ({ workspace_id }) => workspace_id)
    for (const scan of persons) {
      const code = codes.get(scan.code_id)
      if (!code) continue
      for (const { id, scans_from } of byOwner.get(code.workspaceId) ?? []) {
        if (scan.id >= scans_from) tallies.get(id)?.add(scan, code.version)
      }
    }
  }

  return {
    /** Scans have come into the ledger. Their events are queued when those of other processes have come, too. */
    onScanned: () => rounds.after(settledMs),
    /** Queues the events of all scans that the ledger has. It never rejects. */
    run: () => {
      rounds.soon()
      return rounds.idle()
    },
    stop: () => rounds.stop(),
  }
}

/** Scans that one event describes one by one. It counts the others. */
const DESCRIBED_MAX = 1_000

/** Collects the scans of one event. */
export class ScanTally {
  #total = 0
  readonly #byCode = new Map<string, ScanNews['byCode'][number]>()
  readonly #described: ScanNews['scans'] = []

  /** @param version the code's, as it is now */
  add(scan: LedgerScan, version: number): void {
    const { id, code_id: codeId, at, first } = scan
    const own = this.#byCode.get(codeId) ?? { codeId, version, scans: 0 }
    own.scans++
    this.#byCode.set(codeId, own)
    this.#total++
    if (this.#described.length >= DESCRIBED_MAX) return
    const instant = new Date(at).toISOString()
    const facts = scanFacts.parse(scan)
    this.#described.push({ id, codeId, at: instant, isFirst: first === 1, ...facts })
  }

  /** The event's data */
  data(): ScanNews {
    return { total: this.#total, byCode: [...this.#byCode.values()], scans: this.#described }
  }
}
