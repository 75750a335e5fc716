import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { utcDay } from '../instants.ts'
import { type Hints, hintsOf } from './agents/hints.ts'
import { readingOf, verdictByRequest } from './classification.ts'
import { type Kind, kindColumns, type Seen, visitorWords } from './journal/kind.ts'
import type { Places } from './places/places.ts'
import { AGENT_MAX, agentOf, languageOf, purposeOf, referrerOf, type Visit } from './visit.ts'

const PROFILES_KEPT = 10_000
const READINGS_KEPT = 5_000
const KINDS_KEPT = 5_000
const VISITOR_CHARACTERS = 16
/** Headers may be 16 kB long; a key longer than any browser's is not worth the memory. */
const KEY_MAX = 1_500

/** All that the ledger keeps about a visit at an instant but the code and the instant. */
export type SeenBy = (visit: Visit, at: number) => Seen

/**
 * One visitor often scans several times in a row, and few kinds of browser make most scans. So we
 * cache profiles and readings of agents by the exact text that they follow from.
 */
export function profiler(deps: Places & { saltOf: (day: number) => string }): SeenBy {
  const known = new LRUCache<string, Seen>({ max: PROFILES_KEPT })
  const kinds = new LRUCache<string, Kind>({ max: KINDS_KEPT })
  const readings = new LRUCache<string, ReturnType<typeof readingOf>>({ max: READINGS_KEPT })
  let knownDay = 0

  function knownReading(agent: string, hints: Hints) {
    // A text that was cut would keep the whole header in memory.
    if (agent.length === AGENT_MAX) return readingOf(agent, hints)
    const key = `${hints.key}\n${agent}`
    let reading = readings.get(key)
    if (!reading) {
      reading = readingOf(agent, hints)
      readings.set(key, reading)
    }
    return reading
  }

  function profile(visit: Visit, hints: Hints, day: number): Seen {
    const agent = agentOf(visit)
    const visitor = hash('sha256', `${deps.saltOf(day)}\n${visit.address}\n${agent}`, 'base64url')
    const kind = {
      ...knownReading(agent, hints),
      ...verdictByRequest(visit),
      ...deps.placeOf(visit),
      referrer: referrerOf(visit),
      language: languageOf(visit),
      agent,
    }
    return { kind: theOne(kind), visitor: visitorWords(visitor.slice(0, VISITOR_CHARACTERS)) }
  }

  /** The journal numbers kinds by identity. */
  function theOne(kind: Kind): Kind {
    const text = kindColumns.map((column) => kind[column]).join('\n')
    const same = kinds.get(text)
    if (same) return same
    kinds.set(text, kind)
    return kind
  }

  /** At the end of a day we delete its salt, so we also forget which address had which hash. */
  function startDay(day: number) {
    known.clear()
    knownDay = day
  }

  return (visit, at) => {
    const day = utcDay(at)
    if (day !== knownDay) startDay(day)
    const { headers } = visit
    const hints = hintsOf(headers)
    const key = `${visit.method}\n${visit.address}\n${headers['user-agent']}\n${headers.referer}\n${headers['accept-language']}\n${purposeOf(visit)}\n${hints.key}\n${deps.placeKey(visit)}`
    let seen = known.get(key)
    if (!seen) {
      seen = profile(visit, hints, day)
      if (key.length <= KEY_MAX) known.set(key, seen)
    }
    return seen
  }
}
