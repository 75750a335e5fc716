import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { utcDay } from '../../dates.ts'
import { orMade } from '../../or-made.ts'
import { attributeNames, type ScanAttributes } from '../store/scan.ts'
import type { ClassifiedVisit, Met, Reading, Visit } from '../types.ts'
import { type Hints, hintsOf } from '../user-agents/hints.ts'
import {
  AGENT_MAX,
  agentOf,
  languageOf,
  partOf,
  purposeOf,
  readingOf,
  referrerOf,
  verdictByRequest,
} from './classification.ts'
import type { Places } from './places/places.ts'

const PROFILES_KEPT = 10_000
const READINGS_KEPT = 5_000
const ATTRIBUTES_KEPT = 5_000
const VISITOR_CHARACTERS = 16
/** Headers may be 16 kB long; a key longer than any browser's is not worth the memory. */
const KEY_MAX = 1_500

/** A visitor's hash, 16 ASCII characters, as a `ClassifiedVisit` holds it. */
export function visitorWords(visitor: string): Uint32Array {
  const words = new Uint32Array(VISITOR_CHARACTERS / 4)
  Buffer.from(words.buffer).write(visitor, 'latin1')
  return words
}

/** The hash again, of the words in which a `ClassifiedVisit` holds it. */
export const visitorText = (words: Uint32Array): string =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString('latin1')

/**
 * One visitor often scans several times in a row, and few kinds of browser make most scans. So we
 * cache profiles and readings of agents by the exact text that they follow from.
 */
export function visitClassifier(deps: Places & { saltOf: (day: number) => string }) {
  const known = new LRUCache<string, Reading>({ max: PROFILES_KEPT })
  const interned = new LRUCache<string, ScanAttributes>({ max: ATTRIBUTES_KEPT })
  const readings = new LRUCache<string, ReturnType<typeof readingOf>>({ max: READINGS_KEPT })
  let knownDay = 0

  function knownReading(agent: string, hints: Hints) {
    // A text that was cut would keep the whole header in memory.
    if (agent.length === AGENT_MAX) return readingOf(agent, hints)
    return orMade(readings, `${hints.key}\n${agent}`, () => readingOf(agent, hints))
  }

  function profile(visit: Visit, hints: Hints, day: number): Reading {
    const agent = agentOf(visit)
    const visitor = hash('sha256', `${deps.saltOf(day)}\n${visit.address}\n${agent}`, 'base64url')
    const attributes = {
      ...knownReading(agent, hints),
      ...verdictByRequest(visit),
      ...deps.placeOf(visit),
      referrer: referrerOf(visit),
      language: languageOf(visit),
      agent,
      utm: null,
      branch: null,
    }
    return {
      attributes: intern(attributes),
      visitor: visitorWords(visitor.slice(0, VISITOR_CHARACTERS)),
      address: visit.address,
      met: undefined,
    }
  }

  /** Returns the one object for all attributes that are equal. */
  function intern(attributes: ScanAttributes): ScanAttributes {
    const text = attributeNames.map((name) => attributes[name]).join('\n')
    return orMade(interned, text, () => attributes)
  }

  /** At the end of a day we delete its salt, so we also forget which address had which hash. */
  function startDay(day: number) {
    known.clear()
    knownDay = day
  }

  /** Reads a visit at an instant in epoch milliseconds. */
  function read(visit: Visit, at: number): Reading {
    const day = utcDay(at)
    if (day !== knownDay) startDay(day)
    const { headers } = visit
    const hints = hintsOf(headers)
    const key = `${visit.method}\n${visit.address}\n${headers['user-agent']}\n${headers.referer}\n${headers['accept-language']}\n${purposeOf(visit)}\n${partOf(visit)}\n${hints.key}\n${deps.placeKey(visit)}`
    let reading = known.get(key)
    if (!reading) {
      reading = profile(visit, hints, day)
      if (key.length <= KEY_MAX) known.set(key, reading)
    }
    return reading
  }

  /** The same visit to where it leads. */
  function meets(reading: Reading, { utm, branch = null }: Met): ClassifiedVisit {
    if (utm === null && branch === null) return reading
    const last = reading.met?.attributes
    if (reading.met && last?.utm === utm && last.branch === branch) return reading.met
    const attributes = intern({ ...reading.attributes, utm, branch })
    reading.met = { attributes, visitor: reading.visitor }
    return reading.met
  }

  return { read, meets }
}
