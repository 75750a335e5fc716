import type { Facet, ScanClass } from '#contract/analytics/figure-values.ts'
import type { Classes } from '#contract/analytics/figures.ts'
import { orMade } from '../../or-made.ts'
import type { ClassCount } from '../store/scans-store.ts'

const names = {
  country: new Intl.DisplayNames('en', { type: 'region' }),
  language: new Intl.DisplayNames('en', { type: 'language' }),
}

/** A value in words: the English name of a country or a language, else the value itself. */
export function labelOf(facet: Facet, value: string): string {
  if (facet !== 'country' && facet !== 'language') return value
  try {
    return names[facet].of(value) ?? value
  } catch {
    return value
  }
}

/** For rules of which nothing more is known. */
const byClass: Record<ScanClass, string> = {
  person: 'Opened in a browser',
  bot: 'A program, not a person',
  preview: 'A link preview',
  prefetch: 'Loaded ahead by a browser; perhaps nobody saw it',
  head: 'A check of the link that did not open it',
}

/** Names of previews that only their makers know. */
const makers: Record<string, string> = { facebookexternalhit: 'Facebook' }

/** By the rule without its version; `name` is what follows its colon. */
const words: Record<string, (name: string) => string> = {
  app: (name) => `Opened in the ${name} app`,
  tv: () => 'Opened on a TV',
  unclassified: () => 'Could not be judged, so it counts as a person',
  preview: (name) => `Preview by ${makers[name] ?? name}`,
  part: (name) => `Loaded by a page (${name}), not opened`,
  agent: () => 'A program that does not say what it is',
  isbot: (name) => `A program: it says “${name}” about itself`,
}

/** Why a scan is in its class, in words. */
export function reasonOf(scanClass: ScanClass, rule: string): string {
  const [, kind = '', name = ''] = /^\d+:([^:]*):?(.*)$/.exec(rule) ?? []
  const isNameless = kind === 'isbot' && (name === '' || name === 'null')
  return (!isNameless && words[kind]?.(name)) || byClass[scanClass]
}

/** Classes and reasons, most scans first; rules of several versions may share a reason. */
export function classRows(counts: readonly ClassCount[]): Classes['rows'] {
  const rows = new Map<string, Classes['rows'][number]>()
  for (const { class: name, rule, scans } of counts) {
    const scanClass = name as ScanClass
    const reason = reasonOf(scanClass, rule)
    const none = { class: scanClass, reason, scans: 0 }
    orMade(rows, `${scanClass} ${reason}`, () => none).scans += scans
  }
  return [...rows.values()].sort((one, other) => other.scans - one.scans)
}
