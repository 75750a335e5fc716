import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { utcDay } from '../ledger/instants.ts'
import { lineEnd } from '../ledger/scan.ts'
import { classify } from './classification.ts'
import { type Device, deviceOf } from './device.ts'
import type { PlaceOf } from './places.ts'
import { AGENT_MAX, agentOf, languageOf, purposeOf, referrerOf, type Visit } from './visit.ts'

const PROFILES_KEPT = 10_000
const DEVICES_KEPT = 5_000
const VISITOR_CHARACTERS = 16
/** Headers may be 16 kB long: what is longer than any browser's is not worth the memory. */
const KEY_MAX = 1_500

/** Tells of a visit, at an instant, all that the ledger keeps, as the end of a scan's line. */
export type ProfileOf = (visit: Visit, at: number) => string

/**
 * Many scans come from the same visitor in a row, and all from few kinds of browser: both are
 * remembered by the exact text they were judged by.
 */
export function profiler(deps: { placeOf: PlaceOf; saltOf: (day: number) => string }): ProfileOf {
  const known = new LRUCache<string, string>({ max: PROFILES_KEPT })
  const devices = new LRUCache<string, Device>({ max: DEVICES_KEPT })
  let knownDay = 0

  function device(agent: string): Device {
    // A text that was cut would keep the whole of the header alive.
    if (agent.length === AGENT_MAX) return deviceOf(agent)
    let answer = devices.get(agent)
    if (!answer) {
      answer = deviceOf(agent)
      devices.set(agent, answer)
    }
    return answer
  }

  function profile(visit: Visit, day: number): string {
    const agent = agentOf(visit)
    const { class: scanClass, rule } = classify(visit)
    const { country, region, city } = deps.placeOf(visit.address)
    const { device: kind, os, browser } = device(agent)
    const referrer = referrerOf(visit)
    const language = languageOf(visit)
    const visitor = hash('sha256', `${deps.saltOf(day)}\n${visit.address}\n${agent}`, 'base64url')
    return lineEnd([
      scanClass,
      rule,
      country,
      region,
      city,
      kind,
      os,
      browser,
      referrer,
      language,
      agent,
      visitor.slice(0, VISITOR_CHARACTERS),
    ])
  }

  /** Which address had which hash is forgotten with the day, as its salt is. */
  function turnTo(day: number) {
    known.clear()
    knownDay = day
  }

  return (visit, at) => {
    const day = utcDay(at)
    if (day !== knownDay) turnTo(day)
    const { headers } = visit
    const key = `${visit.method}\n${visit.address}\n${headers['user-agent']}\n${headers.referer}\n${headers['accept-language']}\n${purposeOf(visit)}`
    let end = known.get(key)
    if (end === undefined) {
      end = profile(visit, day)
      if (key.length <= KEY_MAX) known.set(key, end)
    }
    return end
  }
}
