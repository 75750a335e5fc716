import type { Database } from '../../../database/connect.ts'
import { keptFrom } from '../ledger/marks.ts'
import type { Reading } from '../scan.ts'
import { newReread, type Reread, type RereadOptions, type Rules } from '../scans-store.ts'
import { type ClickHouse, STATEMENT_MS } from './clickhouse.ts'

const names = ['class', 'rule', 'device', 'os', 'browser'] as const
/** Kinds of scans that one statement changes: a parameter holds 128 KiB of their User-Agents. */
const KINDS_MAX = 150

type Kind = Reading & { agent: string | null; scans: number }

/**
 * Reads the scans in ClickHouse again that were read by older rules, from the newest day to the oldest. First visits
 * and figures follow by themselves, since they are counted from the scans.
 */
export async function rereadInClickHouse(
  { reads }: Pick<Database, 'reads'>,
  clickhouse: ClickHouse,
  rules: Rules,
  { isDry, signal, onDay }: RereadOptions = {},
): Promise<Reread> {
  const from = await keptFrom(reads)
  const sum = newReread(from)
  const found = await clickhouse.rows<{ day: number }>(
    `select distinct day from scans where day >= ${from} order by day desc`,
    {},
    STATEMENT_MS,
  )
  for (const [index, { day }] of found.entries()) {
    sum.isStopped = signal?.aborted ?? false
    if (sum.isStopped) break
    const changes = await changesOf(clickhouse, day, rules, sum)
    for (let at = 0; !isDry && at < changes.length; at += KINDS_MAX) {
      await rewrite(clickhouse, day, changes.slice(at, at + KINDS_MAX))
    }
    onDay?.({ day, daysDone: index + 1, days: found.length, scans: sum.scans })
  }
  return sum
}

type Change = { was: Kind; now: Reading }

/** Reads the kinds of scans of a UTC day by today's rules, and adds them to the sum. */
async function changesOf(clickhouse: ClickHouse, day: number, rules: Rules, sum: Reread) {
  const kinds = await clickhouse.rows<Kind>(
    `select ${names}, agent, count() as scans from scans
      where day = ${day} and not startsWith(ifNull(rule, ''), '${rules.version}:')
      group by ${names}, agent`,
    {},
    STATEMENT_MS,
  )
  const changes: Change[] = []
  for (const was of kinds) {
    if (rules.versionOf(was.rule) > rules.version) sum.later += was.scans
    else if (was.agent === null) sum.unread += was.scans
    else changes.push({ was, now: rules.readAgain(was, was.agent) })
  }
  for (const { was, now } of changes) {
    sum.scans += was.scans
    if (was.class !== now.class) {
      const way = `${was.class} → ${now.class}`
      sum.classes.set(way, (sum.classes.get(way) ?? 0) + was.scans)
    }
    if (names.slice(2).some((name) => was[name] !== now[name])) sum.names += was.scans
  }
  return changes
}

/** Gives scans of a UTC day their new values: each kind is found by a text of all that it has. */
async function rewrite(clickhouse: ClickHouse, day: number, changes: Change[]): Promise<void> {
  const key = `concat(${[...names, 'agent'].map((name) => `ifNull(concat('=', ${name}), '')`).join(", '\\n', ")})`
  const keyOf = (kind: Kind) =>
    [...names, 'agent' as const]
      .map((name) => (kind[name] === null ? '' : `=${kind[name]}`))
      .join('\n')
  const params = {
    keys: changes.map(({ was }) => keyOf(was)),
    ...Object.fromEntries(names.map((name) => [name, changes.map(({ now }) => now[name] ?? '')])),
  }
  const sets = names.map(
    (name) =>
      `${name} = nullIf(transform(${key}, {keys:Array(String)}, {${name}:Array(String)}, ''), '')`,
  )
  await clickhouse.run(
    `alter table scans update ${sets} where day = ${day} and ${key} in {keys:Array(String)}`,
    params,
    { mutations_sync: '1' },
  )
}
