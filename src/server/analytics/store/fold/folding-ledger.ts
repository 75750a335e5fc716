import { HOUR_MS } from '#contract/time.ts'
import type { Location } from '../../../database/connect.ts'
import { QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import type { FoldScan } from '../fold-scan.ts'
import { ScansByDay } from '../packs/ledger-scans.ts'
import { packColumns } from '../packs/pack.ts'
import { barePackOf } from '../packs/packs-store.ts'
import type { Folded, Position, ScansInbox, Stretch } from '../scans-store.ts'
import { FacetLimiter } from './facet-limiter.ts'
import { KnownRows, StoredAgents } from './known-rows.ts'
import type { FoldMarks, LedgerTables, ScanFacts } from './ledger-tables.ts'
import { Owners } from './owners.ts'
import { PostgresLedger } from './postgres-ledger.ts'
import { rollUp } from './roll-up.ts'
import { SqliteLedger } from './sqlite-ledger.ts'

const VISITORS_KEPT = 200_000
/** Other processes delete agents that no scan refers to, and codes with all their numbers. */
const TRUST_MS = HOUR_MS

export type LedgerDeps = {
  open: () => LedgerTables
  /** Keeps scans that the database will never take, before the journal moves past them. @throws */
  keepRefused: (scans: FoldScan[]) => void
  agentsMax?: number
  /** Told, after each transaction, which codes persons have scanned. */
  onFolded?: (codes: Set<string>) => void
}

/** The journal does not stand where the batch begins: another process folded it. */
class JournalMoved extends Error {}
/** Some of the scans are in the ledger. */
class ScansKnown extends Error {}

export function openTables(location: Location): LedgerTables {
  return location.engine === 'sqlite'
    ? new SqliteLedger(location.file)
    : new PostgresLedger(location.url)
}

/**
 * Writes batches of scans into ledger and rollups, each in one transaction, which also moves the
 * journal's position: so each scan counts once. After an error it connects again.
 */
export class FoldingLedger implements ScansInbox {
  readonly #deps: LedgerDeps
  readonly #agents: StoredAgents
  /** The visitors seen at a code on a day. */
  readonly #visitors = new KnownRows<string>(VISITORS_KEPT)
  readonly #facets = new FacetLimiter()
  readonly #owners = new Owners()
  #tables: LedgerTables | undefined
  #trustedSince = 0

  constructor(deps: LedgerDeps) {
    this.#deps = deps
    this.#agents = new StoredAgents(deps.agentsMax)
  }

  async begin(journal: string, beginning: Position): Promise<Position> {
    return this.#connected((tables) => tables.positionOf(journal, beginning, Date.now()))
  }

  async end(journal: string): Promise<void> {
    await this.#connected((tables) => tables.removeJournal(journal))
  }

  async add(scans: FoldScan[], stretch?: Stretch): Promise<Folded | 'moved'> {
    const folded = await this.#connected(async (tables) => {
      try {
        return await this.#foldOnce(tables, scans, stretch)
      } catch (error) {
        if (!(error instanceof JournalMoved)) throw error
        return 'moved'
      }
    })
    // Also of scans that were there already: our own COMMIT may have come through unheard.
    const byPersons = scans.filter(({ kind }) => kind.isPerson)
    this.#deps.onFolded?.(new Set(byPersons.map(({ codeId }) => codeId)))
    return folded
  }

  close() {
    this.#tables?.close()
    this.#tables = undefined
    this.#agents.clear()
    this.#visitors.clear()
    this.#facets.clear()
    this.#owners.clear()
  }

  /** Only a new connection is in a known state after an error. */
  async #connected<T>(work: (tables: LedgerTables) => Promise<T>): Promise<T> {
    try {
      this.#tables ??= this.#deps.open()
      return await work(this.#tables)
    } catch (error) {
      this.close()
      throw error
    }
  }

  async #foldOnce(tables: LedgerTables, scans: FoldScan[], stretch?: Stretch): Promise<Folded> {
    this.#forgetInTime()
    try {
      return await this.#transaction(tables, stretch, (marks) =>
        this.#addLiving(tables, scans, marks),
      )
    } catch (error) {
      if (!(error instanceof ScansKnown) && !isRefusal(error)) throw error
      const work = (marks: FoldMarks) => this.#addCarefully(tables, scans, marks)
      return this.#transaction(tables, stretch, work)
    }
  }

  #forgetInTime() {
    const now = performance.now()
    if (now - this.#trustedSince < TRUST_MS) return
    this.#trustedSince = now
    this.#agents.clear()
    this.#facets.clear()
  }

  async #transaction<T>(
    tables: LedgerTables,
    stretch: Stretch | undefined,
    work: (marks: FoldMarks) => Promise<T>,
  ): Promise<T> {
    const marks = await tables.begin()
    try {
      if (marks.stillUntil > Date.now()) throw new Error('the database is being moved')
      // Before the work, so that of two processes with one journal the second does none in vain.
      if (stretch && !(await tables.moveJournal(stretch, Date.now()))) throw new JournalMoved()
      const done = await work(marks)
      await tables.commit()
      this.#agents.commit()
      this.#visitors.commit()
      return done
    } catch (error) {
      this.#undo()
      await rollBack(tables)
      throw error
    }
  }

  /** Forgets what the transaction, or a part of it, wrote: it was rolled back. */
  #undo() {
    this.#agents.undo()
    this.#visitors.undo()
    this.#facets.clear()
  }

  async #addLiving(tables: LedgerTables, scans: FoldScan[], marks: FoldMarks): Promise<Folded> {
    const living = await this.#owners.living(tables, scans, marks)
    const folded = await this.#add(tables, living, marks)
    return { ...folded, known: scans.length - living.length }
  }

  async #add(tables: LedgerTables, scans: FoldScan[], marks: FoldMarks): Promise<Folded> {
    if (scans.length === 0) return { fresh: 0, known: 0, refused: 0 }
    await this.#agents.store(tables, scans)
    const firsts = await this.#addVisitors(tables, scans)
    const workspaceOf = this.#owners.of
    const hasAgent = (id: number) => this.#agents.has(id)
    const fresh = await tables.addScans(scans, { firsts, hasAgent, workspaceOf })
    if (fresh !== scans.length) throw new ScansKnown()
    const { counts, facets } = rollUp(scans, firsts)
    await tables.addCounts(counts)
    await tables.addFacets(await this.#facets.bound(tables, facets))
    let known = ''
    for (const { code_id, quarter } of counts) {
      const day = Math.floor(quarter / QUARTERS_A_DAY)
      // A code's first day comes first.
      if (day < marks.totalsDay && code_id !== known) await tables.leaveTotals(code_id, day)
      known = code_id
    }
    await addLate(tables, scans, { firsts, workspaceOf }, marks.packedUntil)
    return { fresh, known: 0, refused: 0 }
  }

  /** Which of these scans are a person's first at the code on that UTC day: the database decides. */
  async #addVisitors(tables: LedgerTables, scans: FoldScan[]): Promise<ReadonlySet<FoldScan>> {
    const unseen = new Map<string, FoldScan>()
    for (const scan of scans) {
      if (!scan.kind.isPerson || scan.visitor === null) continue
      const key = `${utcDay(scan.at)}\n${scan.codeId}\n${scan.visitor}`
      if (!this.#visitors.has(key) && !unseen.has(key)) unseen.set(key, scan)
    }
    if (unseen.size === 0) return new Set()
    const keys = [...unseen.keys()].sort()
    const firsts = await tables.addVisitors(keys.map((key) => unseen.get(key) as FoldScan))
    for (const key of keys) this.#visitors.add(key)
    return new Set(firsts)
  }

  /** Leaves out the scans that the ledger has, and those that the engine cannot store. */
  async #addCarefully(tables: LedgerTables, scans: FoldScan[], marks: FoldMarks): Promise<Folded> {
    const stored = new Set(await tables.idsAmong(scans.map(({ id }) => id)))
    const unknown = new Map<string, FoldScan>()
    for (const scan of await this.#owners.living(tables, scans, marks)) {
      if (!stored.has(scan.id)) unknown.set(scan.id, scan)
    }
    const refused = await this.#addHalves([...unknown.values()], tables, marks)
    if (refused.length > 0) this.#deps.keepRefused(refused)
    const fresh = unknown.size - refused.length
    return { fresh, known: scans.length - unknown.size, refused: refused.length }
  }

  /** One scan that the engine cannot store must not keep the others out: we try the halves separately. */
  async #addHalves(scans: FoldScan[], tables: LedgerTables, marks: FoldMarks): Promise<FoldScan[]> {
    await tables.mark()
    try {
      await this.#add(tables, scans, marks)
      return []
    } catch (error) {
      if (!isRefusal(error)) throw error
      await tables.undo()
      this.#undo()
      if (scans.length === 1) return scans
      const middle = scans.length >> 1
      const first = await this.#addHalves(scans.slice(0, middle), tables, marks)
      return [...first, ...(await this.#addHalves(scans.slice(middle), tables, marks))]
    }
  }
}

export async function rollBack(tables: LedgerTables) {
  try {
    await tables.rollback()
  } catch {
    // The connection is gone, or the engine rolled back itself.
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint), and what SQLite calls them. */
function isRefusal(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(22|23)\w{3}$/.test(code) || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(code)
}

/** No part of this id was there before, so its version need not be another one. */
const FIRST_VERSION = 0

/**
 * Adds the scans from before `packedUntil` to the packs: what is packed from the ledger is packed without
 * them. They are rare, so they get parts of their own, which a job joins with the others.
 */
async function addLate(
  tables: LedgerTables,
  scans: FoldScan[],
  { firsts, workspaceOf }: Pick<ScanFacts, 'firsts' | 'workspaceOf'>,
  packedUntil: number,
): Promise<void> {
  const days = new ScansByDay()
  for (const scan of scans) {
    const owner = scan.at < packedUntil ? workspaceOf(scan.codeId) : null
    if (owner === null) continue
    const texts = packColumns.map((name) =>
      name === 'code_id' ? scan.codeId : scan.kind.attributes[name],
    )
    days.add(owner, scan.id, scan.at, firsts.has(scan) ? 1 : 0, texts)
  }
  const packs = days.take()
  if (packs.length === 0) return
  await tables.addPacks(packs.map((pack) => ({ ...barePackOf(pack), version: FIRST_VERSION })))
  await tables.leaveJoined(Math.min(...packs.map(({ day }) => day)))
}
