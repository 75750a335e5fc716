import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { METRICS_TOKEN } from '../support/metric.ts'
import { tesseraForTest } from '../support/tessera.ts'

/** They are there only after a backup, and with SCANS_URL. */
const SOMETIMES = [
  'tessera_backup_age_seconds',
  'tessera_clickhouse_up',
  'tessera_clickhouse_free_bytes',
  'tessera_clickhouse_parts',
]
const namesIn = (text: string) => new Set(text.match(/tessera_\w+/g))

/** The metrics that docs/operations.md describes. QUEUE stands for each queue of the table below them. */
function described(): Set<string> {
  const page = readFileSync('docs/operations.md', 'utf8')
  const queues = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \|$/gm)].map(([, queue = '']) => queue)
  const all = [...namesIn(page)].flatMap((name) =>
    name.includes('QUEUE') ? queues.map((queue) => name.replace('QUEUE', queue)) : [name],
  )
  return new Set(all)
}

test('the guide describes every metric, and no other', async () => {
  const { origin } = await tesseraForTest()
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const real = namesIn(await (await fetch(`${origin}/metrics`, { headers })).text())
  const all = new Set([...real, ...SOMETIMES])
  expect([...described()].sort()).toEqual([...all].sort())
})

test.each(['alerts.yaml', 'alerts.test.yaml', 'grafana.json'])(
  '%s uses metrics that the guide describes',
  (file) => {
    const used = namesIn(readFileSync(`deploy/monitoring/${file}`, 'utf8'))
    expect(used.size).toBeGreaterThan(10)
    expect([...used].filter((name) => !described().has(name))).toEqual([])
  },
)
