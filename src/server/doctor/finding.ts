import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import lines from './lines.json' with { type: 'json' }

/** In the order of their exit codes */
export const levels = ['ok', 'warning', 'problem'] as const
export type Level = (typeof levels)[number]

/** One sentence on the state, and one on what to do */
export type Finding = { name: string; level: Level; found: string; todo?: string }

type Line = { level: string; found: string; todo?: string }
type Lines = typeof lines
type Values = Record<string, string | number | undefined>

/** A line of lines.json; each `{value}` in its texts is replaced. */
export function say<Name extends keyof Lines>(
  name: Name,
  key: keyof Lines[Name],
  values: Values = {},
): Finding {
  const { level, found, todo } = lines[name][key] as Line
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, value) => String(values[value]))
  return { name, level: level as Level, found: fill(found), todo: todo && fill(todo) }
}

/** The lines whose condition holds, or the line `ok` if none does. */
export function sayAll<Name extends keyof Lines>(
  name: Name,
  conditions: Partial<Record<keyof Lines[Name], boolean>>,
  values: Values = {},
): Finding[] {
  const keys = Object.keys(conditions) as (keyof Lines[Name])[]
  const found = keys.filter((key) => conditions[key])
  return (found.length > 0 ? found : ['ok' as keyof Lines[Name]]).map((key) =>
    say(name, key, values),
  )
}

/** It only reads. If it throws or takes too long, its finding is the line `failed`. */
export type Check = {
  name: Exclude<keyof Lines, 'marks' | 'clock' | 'backup'>
  look: () => Finding[] | Promise<Finding[]>
  limitMs?: number
}

const LIMIT_MS = 15 * SECOND_MS

/** Makes the checks one after the other. It never throws. */
export async function examine(checks: Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of checks) findings.push(...(await lookInTime(check)))
  return findings
}

async function lookInTime({ name, look, limitMs = LIMIT_MS }: Check): Promise<Finding[]> {
  const limit = Promise.withResolvers<never>()
  const late = new Error(`no answer in ${limitMs / SECOND_MS} seconds`)
  const timer = setTimeout(() => limit.reject(late), limitMs)
  try {
    return await Promise.race([look(), limit.promise])
  } catch (error) {
    return [say(name, 'failed', { reason: reasonOf(error) })]
  } finally {
    clearTimeout(timer)
  }
}

/** A failed fetch has its reason in its cause; a failed connection to several addresses has only a code. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as { cause?: unknown; message?: string; code?: string }
  return cause ? reasonOf(cause) : message || code || String(error)
}

/** Logs what is not as it should be. It never throws. */
export async function logFindings(checks: Check[], log: FastifyBaseLogger): Promise<void> {
  for (const { name, level, found, todo } of await examine(checks)) {
    if (level !== 'ok') log.warn({ check: name, todo }, found)
  }
}

const APART_MINUTES = 1
const PROBLEM_MINUTES = 60

/** @param aheadMs how far the other clock is ahead of this machine's */
export function compareClocks(aheadMs: number, other: string): Finding {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS)
  const side = aheadMs > 0 ? 'behind' : 'ahead of'
  const apart = minutes < PROBLEM_MINUTES ? 'minutes' : 'hours'
  return say('clock', minutes > APART_MINUTES ? apart : 'ok', { minutes, side, other })
}
