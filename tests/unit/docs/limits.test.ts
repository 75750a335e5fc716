import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/contract/time.ts'
import * as limits from '../../../src/server/http/limits/limits.ts'

type Numbers = {
  max?: number
  windowMs?: number
  atOnce?: number
  atOnceEach?: number
  waiting?: number
  waitingEach?: number
  startsPerTurn?: number
  pauseMs?: number
}
type Row = limits.Limit & Numbers

const HEAD = ['| limit on | for each | how many | why |', '|---|---|---|---|']
const UNITS = [
  ['day', DAY_MS],
  ['hour', DAY_MS / 24],
  ['minute', DAY_MS / 24 / 60],
  ['second', 1_000],
] as const

const count = (value: number) => value.toLocaleString('en')

/** In the largest unit that it is a whole number of. */
function duration(ms: number): string {
  const [name, unit] = UNITS.find(([, unit]) => ms % unit === 0) ?? ['ms', 1]
  if (ms !== unit) return `${count(ms / unit)} ${name}s`
  return name === 'hour' ? 'an hour' : `a ${name}`
}

/** What a limit says in numbers, in words. */
function howMany(row: Row): string {
  const { max, windowMs, waiting, waitingEach, atOnce, atOnceEach, startsPerTurn, pauseMs } = row
  const together = (all?: number) =>
    Number.isFinite(all) ? ` (${count(all as number)} of all together)` : ''
  const parts = [
    max !== undefined && (windowMs ? `${count(max)} in ${duration(windowMs)}` : count(max)),
    atOnceEach !== undefined && `${count(atOnceEach)} at once${together(atOnce)}`,
    startsPerTurn !== undefined && `${count(startsPerTurn)} begun at a time`,
    pauseMs !== undefined && `${count(pauseMs)} ms after each`,
    waitingEach !== undefined && `${count(waitingEach)} waiting${together(waiting)}`,
  ]
  const said = parts.filter((part) => part !== false)
  if (said.length === 0) throw new Error(`the table has no words for the limit on ${row.what}`)
  return said.join(', ')
}

const rows = (Object.values(limits) as Record<string, Row>[]).flatMap((group) =>
  Object.values(group),
)
const lines = rows.map((row) => `| ${row.what} | ${row.per} | ${howMany(row)} | ${row.why} |`)
const table = [...HEAD, ...lines].join('\n')

test('the README shows every limit that the server has', () => {
  const [, after = ''] = readFileSync('README.md', 'utf8').split('\n### Limits\n')
  const [section = ''] = after.split(/\n#+ /)
  const shown = section.split('\n').filter((line) => line.startsWith('|'))
  expect(shown.join('\n'), `README's section "Limits" needs this table:\n${table}\n`).toBe(table)
})
