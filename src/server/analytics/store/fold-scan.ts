import { hash } from 'node:crypto'
import { orMade } from '../../or-made.ts'
import { attributeNames, facetNames, type Scan, type ScanAttributes } from './scan.ts'

/** One object for all that are equal. */
export type FacetValue = { facet: (typeof facetNames)[number]; value: string }

/**
 * Attributes as the folding thread knows them, one object for all that are equal. `facets` are what its
 * scans count for, in the order of `facetNames`: none unless a person's.
 */
export type ScanKind = {
  no: number
  attributes: ScanAttributes
  agentId: number
  isPerson: boolean
  facets: FacetValue[]
}

const KINDS_KEPT = 20_000

/** 48 bits of a digest: an integer in both engines, and distinct for any number of agents we will meet. */
const agentIdOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 12), 16)

/** Across all journals: no number is used twice. */
let lastNumber = 0

/** The kinds of one journal's scans. */
export class ScanKinds {
  readonly #kinds = new Map<string, ScanKind>()
  readonly #values = new Map<string, FacetValue>()

  of(attributes: ScanAttributes): ScanKind {
    const key = JSON.stringify(attributeNames.map((name) => attributes[name]))
    return orMade(this.#kinds, key, () => this.#describe(attributes))
  }

  /** Call it between two batches, because the roll-up of one compares values by identity. */
  forgetIfMany() {
    if (this.#kinds.size <= KINDS_KEPT) return
    this.#kinds.clear()
    this.#values.clear()
  }

  #describe(attributes: ScanAttributes): ScanKind {
    const isPerson = attributes.class === 'person'
    const facets: FacetValue[] = []
    for (const facet of isPerson ? facetNames : []) {
      const value = attributes[facet]
      if (value === null) continue
      facets.push(orMade(this.#values, `${facet}\n${value}`, () => ({ facet, value })))
    }
    return {
      no: ++lastNumber,
      attributes,
      agentId: agentIdOf(attributes.agent),
      isPerson,
      facets,
    }
  }
}

/** A scan on its way into the ledger; `at` in epoch milliseconds. */
export type FoldScan = {
  id: string
  codeId: string
  at: number
  kind: ScanKind
  visitor: string | null
}

export function foldScanOf({ id, code_id, at, visitor, ...attributes }: Scan, kinds: ScanKinds) {
  return { id, codeId: code_id, at, kind: kinds.of(attributes), visitor }
}

export function scanOfFold({ id, codeId, at, kind, visitor }: FoldScan): Scan {
  return { id, code_id: codeId, at, ...kind.attributes, visitor }
}
