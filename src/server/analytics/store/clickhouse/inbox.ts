import { hash } from 'node:crypto'
import { SECOND_MS } from '#contract/time.ts'
import { orMade } from '../../../or-made.ts'
import { type LedgerDeps, rollBack } from '../fold/folding-ledger.ts'
import type { FoldMarks, LedgerTables } from '../fold/ledger-tables.ts'
import { Owners } from '../fold/owners.ts'
import type { FoldScan, ScanKind } from '../fold-scan.ts'
import { attributeNames } from '../scan.ts'
import { partsOfId, scanId } from '../scan-ids.ts'
import type { Begun, Folded, Position, ScansInbox, Stretch } from '../scans-store.ts'
import { type ClickHouse, STATEMENT_MS } from './clickhouse.ts'
import { between } from './own-scans.ts'
import { INTO_SCANS } from './tables.ts'

/**
 * ClickHouse's errors for rows that it will never take: CANNOT_PARSE_TEXT, CANNOT_PARSE_QUOTED_STRING,
 * CANNOT_PARSE_INPUT_ASSERTION_FAILED, TYPE_MISMATCH, CANNOT_CONVERT_TYPE, INCORRECT_DATA, CANNOT_PARSE_NUMBER,
 * TOO_LARGE_STRING_SIZE, CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN, VIOLATED_CONSTRAINT (src/Common/ErrorCodes.cpp there)
 */
const REFUSALS = new Set(['6', '26', '27', '53', '70', '72', '117', '131', '349', '469'])

type Deps = Pick<LedgerDeps, 'open' | 'keepRefused' | 'onFolded'> & {
  clickhouse: ClickHouse
  /** Makes the tables. @throws if the server is away, or not fit for scans */
  prepare: () => Promise<void>
}

/**
 * Inserts batches of scans into ClickHouse, each once. First the end of the batch is noted beside the journal's
 * position in PostgreSQL, then the batch is inserted as one block with a token that says which it is, then the
 * position moves. A process that begins at that position later inserts the same batch with the same token, which adds
 * nothing if it is there.
 */
export class ClickHouseInbox implements ScansInbox {
  /** Each insert makes a part of the table, which the server has to merge: so they are few, also while it is slow. */
  readonly batches = { scansMax: 100_000, pauseMs: SECOND_MS, readerPauseMs: 100 }
  readonly #deps: Deps
  readonly #owners = new Owners()
  readonly #rests = new WeakMap<ScanKind, string>()
  #tables: LedgerTables | undefined
  #isPrepared = false
  /** Journals that another process, or this one before an error, has begun to insert up to a noted end */
  readonly #begun = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  begin(journal: string, beginning: Position): Promise<Begun> {
    return this.#connected(async (tables) => {
      const position = await tables.positionOf(journal, beginning, Date.now())
      if (position.until) this.#begun.add(journal)
      return position
    })
  }

  end(journal: string): Promise<void> {
    return this.#connected((tables) => tables.removeJournal(journal))
  }

  async add(scans: FoldScan[], stretch?: Stretch): Promise<Folded | 'moved'> {
    // The server may have been away at the start.
    if (!this.#isPrepared) await this.#deps.prepare()
    this.#isPrepared = true
    const folded = await this.#connected(async (tables) => {
      const noted = await this.#note(tables, scans, stretch)
      if (!noted) return 'moved'
      const { living, generation } = noted
      const isBegun = stretch !== undefined && this.#begun.has(stretch.journal)
      const lacking = isBegun ? await this.#lacking(living) : living
      const refused = await this.#insert(lacking, `${tokenOf(scans, stretch)}:${generation}`)
      if (refused.length > 0) this.#deps.keepRefused(refused)
      if (stretch && !(await tables.moveJournal(stretch, Date.now()))) return 'moved'
      if (stretch) this.#begun.delete(stretch.journal)
      const known = scans.length - living.length
      return { fresh: living.length - refused.length, known, refused: refused.length }
    })
    const byPersons = scans.filter(({ kind }) => kind.isPerson)
    this.#deps.onFolded?.(new Set(byPersons.map(({ codeId }) => codeId)))
    return folded
  }

  close() {
    this.#tables?.close()
    this.#tables = undefined
    this.#owners.clear()
    void this.#deps.clickhouse.close()
  }

  /** Only a new connection is in a known state after an error. */
  async #connected<T>(work: (tables: LedgerTables) => Promise<T>): Promise<T> {
    try {
      this.#tables ??= this.#deps.open()
      return await work(this.#tables)
    } catch (error) {
      this.#tables?.close()
      this.#tables = undefined
      throw error
    }
  }

  /** Notes where the batch ends. Returns undefined if the journal does not stand where it begins, or has another end. */
  async #note(tables: LedgerTables, scans: FoldScan[], stretch?: Stretch) {
    const marks: FoldMarks = await tables.begin()
    try {
      if (marks.stillUntil > Date.now()) throw new Error('the database is being moved')
      const isNoted = !stretch || (await tables.noteEnd(stretch))
      const living = await this.#owners.living(tables, scans, marks)
      await tables.commit()
      return isNoted ? { living, generation: marks.generation } : undefined
    } catch (error) {
      await rollBack(tables)
      throw error
    }
  }

  /** Leaves out the scans that are there: a machine may come back after ClickHouse has forgotten the token. */
  async #lacking(scans: FoldScan[]): Promise<FoldScan[]> {
    if (scans.length === 0) return scans
    const parts = scans.map(({ id }) => partsOfId(id))
    const instants = parts.map(({ at }) => at).sort((one, other) => one - other)
    const nonces = parts.map(({ nonce }) => nonce)
    const period = between(instants[0] as number, (instants.at(-1) as number) + 1)
    const rows = await this.#deps.clickhouse.rows<{ at: number; counter: number; nonce: string }>(
      `select at, counter, nonce from scans where ${period.sql} and nonce in {nonces:Array(String)}`,
      { ...period.params, nonces: [...new Set(nonces)] },
      STATEMENT_MS,
    )
    const there = new Set(rows.map(({ at, counter, nonce }) => scanId(at, counter, nonce)))
    return scans.filter(({ id }) => !there.has(id))
  }

  /**
   * One scan that the server refuses for good must not keep the others out: the halves are inserted separately.
   * @returns those that it refuses
   */
  async #insert(scans: FoldScan[], token: string): Promise<FoldScan[]> {
    if (scans.length === 0) return scans
    try {
      await this.#deps.clickhouse.insert(INTO_SCANS, this.#rowsOf(scans), token)
      return []
    } catch (error) {
      if (!REFUSALS.has(String((error as { code?: unknown }).code))) throw error
    }
    if (scans.length === 1) return scans
    const middle = scans.length >> 1
    const halves = [scans.slice(0, middle), scans.slice(middle)] as const
    // A repeat may lack some scans, and has other halves: the token says which scans are in one.
    const first = await this.#insert(halves[0], `${token}:${tokenOf(halves[0])}`)
    return [...first, ...(await this.#insert(halves[1], `${token}:${tokenOf(halves[1])}`))]
  }

  #rowsOf(scans: FoldScan[]): string[] {
    const heads = new Map<string, string>()
    const headOf = (codeId: string) =>
      orMade(heads, codeId, () => headWith(this.#owners.of(codeId), codeId))
    return scans.map((scan) => `${headOf(scan.codeId)}${ownCells(scan)}${this.#restOf(scan.kind)}`)
  }

  /** The cells that all scans of a kind share */
  #restOf(kind: ScanKind): string {
    const known = this.#rests.get(kind)
    if (known !== undefined) return known
    const rest = attributeCells(kind.attributes)
    this.#rests.set(kind, rest)
    return rest
  }
}

/** A row is a JSON array in three parts: whose scan it is, its own cells, and those that it shares with others. */
export const headWith = (workspaceId: string | null, codeId: string) =>
  JSON.stringify([workspaceId ?? '', codeId]).slice(0, -1)

export function ownCells({ id, visitor }: Pick<FoldScan, 'id' | 'visitor'>): string {
  const { at, counter, nonce } = partsOfId(id)
  return `,${at},${counter},"${nonce}",${visitor === null ? 0 : visitorNumber(visitor)}`
}

export const attributeCells = (
  attributes: Record<(typeof attributeNames)[number], string | null>,
) => `,${JSON.stringify(attributeNames.map((name) => attributes[name])).slice(1)}`

const VISITOR_BYTES = 8

/** The first half of a visitor's hash as a number above 0 */
const visitorNumber = (visitor: string) =>
  Buffer.from(visitor.padEnd(2 * VISITOR_BYTES, '_'), 'base64url').readBigUInt64LE() || 1n

/** A hash that has this first half */
export function visitorOf(number: bigint): string {
  const bytes = Buffer.alloc(VISITOR_BYTES)
  bytes.writeBigUInt64LE(number)
  return bytes.toString('base64url')
}

/** Names a batch: by its stretch of a journal, or by its scans. */
function tokenOf(scans: FoldScan[], stretch?: Stretch): string {
  if (!stretch) return hash('sha256', scans.map(({ id }) => id).join(), 'base64url')
  const { journal, from, to } = stretch
  return [journal, from.segment, from.offset, to.segment, to.offset].join(':')
}
