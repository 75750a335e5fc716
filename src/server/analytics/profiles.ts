import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { classify } from './classification.ts'
import { type Device, deviceOf } from './device.ts'
import { utcDay } from './instants.ts'
import type { PlaceOf } from './places.ts'
import { lineEnd } from './scan.ts'
import { agentOf, languageOf, purposeOf, referrerOf, type Visit } from './visit.ts'

const PROFILES_KEPT = 10_000
const DEVICES_KEPT = 5_000
const VISITOR_CHARACTERS = 16

/** Tells of a visit, at an instant, all that the ledger keeps, as the end of a scan's line. */
export type ProfileOf = (visit: Visit, at: number) => string

/**
 * Many scans come from the same visitor in a row, and all from few kinds of browser: both are
 * remembered by the exact text they were judged by.
 */
export function profiler(deps: { placeOf: PlaceOf; saltOf: (day: number) => string }): ProfileOf {
  const known = new LRUCache<string, string>({ max: PROFILES_KEPT })
  const devices = new LRUCache<string, Device>({ max: DEVICES_KEPT })

  function device(agent: string): Device {
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

  return (visit, at) => {
    const day = utcDay(at)
    const { headers } = visit
    const key = `${day}\n${visit.method}\n${visit.address}\n${headers['user-agent']}\n${headers.referer}\n${headers['accept-language']}\n${purposeOf(visit)}`
    let end = known.get(key)
    if (end === undefined) {
      end = profile(visit, day)
      known.set(key, end)
    }
    return end
  }
}
