import type { ScanClass } from '#contract/analytics/figure-values.ts'
import { HOST_MAX } from '#contract/codes/code-values.ts'
import type { Reading } from '../store/scan.ts'
import type { Rules } from '../store/scans-store.ts'
import type { Visit } from '../types.ts'
import { appOf, classOf, type Device, deviceOf } from '../user-agents/agent.ts'
import { type Hints, NO_HINTS, possibleHints } from '../user-agents/hints.ts'

/** Longest User-Agent kept, in characters. */
export const AGENT_MAX = 512
const PURPOSE_MAX = 64

export function agentOf({ headers }: Visit): string {
  return (headers['user-agent'] ?? '').slice(0, AGENT_MAX)
}

/** The header of browsers that fetch before the person asks (Sec-Purpose and the headers before it). */
export function purposeOf({ headers }: Visit): string {
  const purpose =
    headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz'] ?? ''
  return String(purpose).slice(0, PURPOSE_MAX)
}

/** Destinations of requests that open no page (Fetch §2.2.5), by which a page loads a link as a part of itself. */
const PARTS = new Set(
  `audio audioworklet embed empty font image json manifest object paintworklet report script
  serviceworker sharedworker speculationrules style track video worker xslt`.split(/\s+/),
)

/** As which part of a page a browser loads the link; '' if it opens the link, or does not say. */
export function partOf({ headers }: Visit): string {
  const part = headers['sec-fetch-dest']
  return typeof part === 'string' && PARTS.has(part) ? part : ''
}

/** The host a person came from, in lower case; null if the browser does not say. */
export function referrerOf({ headers }: Visit): string | null {
  const host = URL.parse(headers.referer ?? '')?.hostname.toLowerCase()
  return host && host.length <= HOST_MAX ? host : null
}

/** The first language asked for, as a lower-case primary subtag such as `de` (RFC 9110 §12.5.4). */
export function languageOf({ headers }: Visit): string | null {
  const first = /^\s*([a-z]{2,3})(?=[-,;\s]|$)/i.exec(headers['accept-language'] ?? '')
  return first?.[1]?.toLowerCase() ?? null
}

/** A class, and the rule that decided it as `version:rule`. */
export type Verdict = { class: ScanClass; rule: string }

/**
 * Raise it with every change of a rule and every update of isbot or Bowser that reads an agent of
 * ours otherwise (a test fails then): each row names the rules that classified it.
 */
export const RULES_VERSION = 3

const RULE_MAX = 80
const HEAD = 'method:head'
const PURPOSE = 'purpose:'
const PART = 'part:'
/** The rule of a visit that could not be read: it counts as a person's. */
export const UNCLASSIFIED = 'unclassified'
/** Older rules read no hints. */
const HINTS_SINCE = 2

/** 0 if it names none */
const versionOf = (rule: string) => Number.parseInt(rule, 10) || 0

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

/** Requests that are not a person's, whatever their agent. */
export function verdictByRequest(visit: Visit): Verdict | undefined {
  if (visit.method === 'HEAD') return verdict('head', HEAD)
  return verdictByPurpose(purposeOf(visit)) ?? verdictByPart(partOf(visit))
}

const verdictByPart = (part: string) => (part ? verdict('bot', `${PART}${part}`) : undefined)

function verdictByPurpose(purpose: string): Verdict | undefined {
  return PREFETCH.test(purpose) ? verdict('prefetch', `${PURPOSE}${purpose}`) : undefined
}

/**
 * How today's rules read a stored scan of this agent. Of its request they know what the rule says, that it
 * was a HEAD, its purpose or that a page loaded it. Hints are not stored: a device or system that may have been one stays, unless
 * a rule knows the agent better.
 */
export function readAgain(
  { class: scanClass, rule, device, os, ...names }: Reading,
  agent: string,
): Reading {
  const reason = rule.slice(rule.indexOf(':') + 1)
  if (reason === UNCLASSIFIED) {
    return { ...verdict(scanClass, reason), device, os, ...names }
  }
  const hints = versionOf(rule) < HINTS_SINCE ? NO_HINTS : possibleHints(device, os)
  const reading = readingOf(agent, hints)
  if (reason === HEAD) return { ...reading, ...verdict('head', HEAD) }
  const behind = (kind: string) => (reason.startsWith(kind) ? reason.slice(kind.length) : '')
  return { ...reading, ...(verdictByPurpose(behind(PURPOSE)) ?? verdictByPart(behind(PART))) }
}

/** Today's rules, for scans that are stored. */
export const rules: Rules = { version: RULES_VERSION, versionOf, readAgain }

/** The class of a visit. */
export function classify(visit: Visit): Verdict {
  return verdictByRequest(visit) ?? verdict(...classOf(agentOf(visit)))
}
