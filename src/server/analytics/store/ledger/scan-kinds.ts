import { hash } from 'node:crypto'
import { type Kind, kindColumns } from '../../record/journal/kind.ts'

/** The facets of scans, each named like its column in the ledger. */
export const facetNames = [
  'browser',
  'country',
  'device',
  'language',
  'os',
  'referrer',
] as const satisfies (keyof Kind)[]

/** One object for all that are equal. */
export type FacetValue = { facet: (typeof facetNames)[number]; value: string }

/**
 * A kind as the folding thread knows it, one object for all that are equal. `facets` are what its
 * scans count for, in the order of `facetNames`: none unless a person's.
 */
export type ScanKind = {
  no: number
  kind: Kind
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

  of(kind: Kind): ScanKind {
    const key = JSON.stringify(kindColumns.map((column) => kind[column]))
    let known = this.#kinds.get(key)
    if (!known) {
      known = this.#describe(kind)
      this.#kinds.set(key, known)
    }
    return known
  }

  /** Call it between two batches, because the roll-up of one tells values apart by identity. */
  forgetIfMany() {
    if (this.#kinds.size <= KINDS_KEPT) return
    this.#kinds.clear()
    this.#values.clear()
  }

  #describe(kind: Kind): ScanKind {
    const isPerson = kind.class === 'person'
    const facets: FacetValue[] = []
    for (const facet of isPerson ? facetNames : []) {
      const value = kind[facet]
      if (value !== null) facets.push(this.#valueOf(facet, value))
    }
    return { no: ++lastNumber, kind, agentId: agentIdOf(kind.agent), isPerson, facets }
  }

  #valueOf(facet: FacetValue['facet'], value: string): FacetValue {
    const key = `${facet}\n${value}`
    let known = this.#values.get(key)
    if (!known) {
      known = { facet, value }
      this.#values.set(key, known)
    }
    return known
  }
}
