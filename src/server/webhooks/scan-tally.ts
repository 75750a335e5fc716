/** A scan as the ledger has it. */
export type LedgerScan = {
  id: string
  code_id: string
  at: number
  first: number
  isPerson: boolean
} & Record<(typeof SHOWN)[number], string | null>

const SHOWN = [
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
] as const

/** Scans that one event describes one by one. It counts the others. */
const DESCRIBED_MAX = 1_000

/** Collects the scans of one event. */
export class ScanTally {
  #total = 0
  readonly #byCode = new Map<string, { codeId: string; version: number; scans: number }>()
  readonly #described: object[] = []

  get isEmpty(): boolean {
    return this.#total === 0
  }

  /** @param version the code's, as it is now */
  add(scan: LedgerScan, version: number): void {
    const { id, code_id: codeId, at, first } = scan
    const own = this.#byCode.get(codeId) ?? { codeId, version, scans: 0 }
    own.scans++
    this.#byCode.set(codeId, own)
    this.#total++
    if (this.#described.length >= DESCRIBED_MAX) return
    const shown = Object.fromEntries(SHOWN.map((name) => [name, scan[name]]))
    const instant = new Date(at).toISOString()
    this.#described.push({ id, codeId, at: instant, isFirst: first === 1, ...shown })
  }

  /** The event's data */
  data(): object {
    return { total: this.#total, byCode: [...this.#byCode.values()], scans: this.#described }
  }
}
