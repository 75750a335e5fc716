/**
 * Writes docs/limits.md from src/server/http/limits/limits.ts. With `--check` it writes nothing, and
 * fails if the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/contract/time.ts'
import {
  databaseLimits,
  lookupLimits,
  memoryLimits,
  onConnection,
  openAtOnce,
  queues,
  signInLimits,
} from '../src/server/http/limits/limits.ts'

const PAGE = new URL('../docs/limits.md', import.meta.url)
const SOURCE = new URL('../src/server/http/limits/limits.ts', import.meta.url)

type Row = {
  max?: number
  windowMs?: number
  atOnce?: number
  atOnceEach?: number
  waiting?: number
  waitingEach?: number
  startsPerTurn?: number
  pauseMs?: number
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const

const count = (value: number) => value.toLocaleString('en')

/** In the largest unit that it is a whole number of. */
function duration(milliseconds: number): string {
  const [name, unit] = UNITS.find(([, unit]) => milliseconds % unit === 0) ?? ['ms', 1]
  if (milliseconds !== unit) return `${count(milliseconds / unit)} ${name}s`
  return name === 'hour' ? 'an hour' : `a ${name}`
}

/** The numbers of a limit in words. */
function howMany(row: Row): string {
  const { max, windowMs, waiting, waitingEach, atOnce, atOnceEach, startsPerTurn, pauseMs } = row
  const together = (all?: number) =>
    all !== undefined && Number.isFinite(all) ? ` (${count(all)} of all together)` : ''
  return [
    max !== undefined && (windowMs ? `${count(max)} in ${duration(windowMs)}` : count(max)),
    atOnceEach !== undefined && `${count(atOnceEach)} at once${together(atOnce)}`,
    startsPerTurn !== undefined && `${count(startsPerTurn)} begun at a time`,
    pauseMs !== undefined && `${count(pauseMs)} ms after each`,
    waitingEach !== undefined && `${count(waitingEach)} waiting${together(waiting)}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** The words of the limits in `export const group`, in the order of the source. */
function wordsOf(group: string): string[][] {
  const [, source = ''] =
    new RegExp(`^export const ${group} = \\{(.*?)^\\}`, 'ms').exec(readFileSync(SOURCE, 'utf8')) ??
    []
  return [...source.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, comment = '']) => {
    const text = comment.replace(/\s+\*? */g, ' ').trim()
    const [, what = '', each = '', why = ''] = /^(.+?), for each (.+?): (.+)\.$/.exec(text) ?? []
    if (!why) throw new Error(`A limit needs “What, for each of whom: why.” and has “${text}”`)
    return [what[0]?.toLowerCase() + what.slice(1), each, why]
  })
}

function tableOf(groups: Record<string, Record<string, Row>>): string {
  const rows = Object.entries(groups).flatMap(([group, limits]) => {
    const words = wordsOf(group)
    if (words.length !== Object.keys(limits).length) {
      throw new Error(`Each limit of ${group} needs a comment`)
    }
    return Object.values(limits).map((limit, index) => {
      const [what, each, why] = words[index] ?? []
      return `| ${what} | ${each} | ${howMany(limit)} | ${why} |`
    })
  })
  return ['| limit on | for each | how many | why |', '|---|---|---|---|', ...rows].join('\n')
}

const page = `# Limits

Written by \`node scripts/limits-table.ts\` from \`src/server/http/limits/limits.ts\`; do not edit.

One visitor cannot slow the service down for the others, or fill it. A request over a limit is
answered 429 with Retry-After, or 503 if all visitors together are too many. A scan of a code that exists is
never refused. An address is an IPv4 address or the /64 of an IPv6 address; behind a proxy it is right
only with \`TRUST_PROXY\`. In the rows for each account the keys and apps of a workspace count together as one
account, and visitors of the live demo by address, since they share one. What strangers can add to has a size too: see [operations](operations.md#sizes).

## Counted in the database, for all processes together

${tableOf({ databaseLimits, signInLimits })}

## Counted in the memory of each process

${tableOf({ memoryLimits })}

## Queues, in the memory of each process

${tableOf({ queues })}

## Open at the same time

${tableOf({ openAtOnce })}

## Scans

${tableOf({ lookupLimits, onConnection })}
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/limits.md is stale: run `node scripts/limits-table.ts`')
  process.exitCode = 1
}
