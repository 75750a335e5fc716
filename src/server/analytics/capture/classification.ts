import { appOf, classOf, type Device, deviceOf } from './agents/agent.ts'
import type { Hints } from './agents/hints.ts'
import { agentOf, purposeOf, type Visit } from './visit.ts'

/** Only persons are counted; the others stay in the ledger with the reason. */
export type ScanClass = 'person' | 'bot' | 'preview' | 'prefetch' | 'head'

/** A class, and the rule that decided it as `version:rule`. */
export type Verdict = { class: ScanClass; rule: string }

/**
 * Raise it with every change of a rule and every update of isbot or Bowser that reads an agent of
 * ours otherwise (a test tells): each row then names the rules that classified it.
 */
export const RULES_VERSION = 2

const RULE_MAX = 80

const PREFETCH = /prefetch|prerender|preview/i

const verdict = (scanClass: ScanClass, rule: string): Verdict => ({
  class: scanClass,
  rule: `${RULES_VERSION}:${rule}`.slice(0, RULE_MAX),
})

/** All that follows from the text of an agent and from the hints beside it. */
export function readingOf(agent: string, hints: Hints): Verdict & Device {
  const app = appOf(agent)
  return { ...verdict(...classOf(agent, app)), ...deviceOf(agent, hints, app) }
}

/** What the request itself tells against a person, whatever its agent. */
export function verdictByRequest(visit: Visit): Verdict | undefined {
  if (visit.method === 'HEAD') return verdict('head', 'method:head')
  const purpose = purposeOf(visit)
  return PREFETCH.test(purpose) ? verdict('prefetch', `purpose:${purpose}`) : undefined
}

/** The class of a visit. */
export function classify(visit: Visit): Verdict {
  return verdictByRequest(visit) ?? verdict(...classOf(agentOf(visit)))
}
