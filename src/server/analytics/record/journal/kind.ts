import type { ScanClass } from '../classification.ts'

/** What many scans share: all that the ledger keeps of a visit but its code, instant and visitor. */
export type Kind = {
  class: ScanClass
  rule: string
  country: string | null
  region: string | null
  city: string | null
  device: string | null
  os: string | null
  browser: string | null
  referrer: string | null
  language: string | null
  agent: string
}

/** The order of the texts in a KIND record. A journal of an older version follows it too: only append. */
export const kindColumns = [
  'class',
  'rule',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
  'agent',
] as const satisfies readonly (keyof Kind)[]

/**
 * What one visitor's text tells. `kind` is one object for all that are equal: kinds are numbered by
 * identity. `visitor` is the hash's 16 ASCII characters as they lie in memory.
 */
export type Seen = { kind: Kind; visitor: Uint32Array | null }

const VISITOR_CHARACTERS = 16

/** A visitor's hash, 16 ASCII characters, as a `Seen` holds it. */
export function visitorWords(visitor: string): Uint32Array {
  const words = new Uint32Array(VISITOR_CHARACTERS / 4)
  Buffer.from(words.buffer).write(visitor, 'latin1')
  return words
}

/** The hash again, of the words in which a `Seen` holds it. */
export const visitorText = (words: Uint32Array): string =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString('latin1')
