import { mkdirSync } from 'node:fs'
import { dashboardOf, seedOf, startOn, timeOf } from './analytics/seeded.ts'

const seed = await seedOf('/tmp/wt/bounds-data', {
  scans: '100000',
  codes: '500',
  postgres: undefined,
})
mkdirSync('/tmp/wt/bounds-data/prof', { recursive: true })
seed.environment.NODE_OPTIONS =
  '--cpu-prof --cpu-prof-dir=/tmp/wt/bounds-data/prof --cpu-prof-interval=500'
const s = await startOn(seed)
for (const c of dashboardOf(s)) {
  const r = await fetch(
    s.server.origin + c + (c.includes('analytics') ? '?tz=Europe/Berlin' : ''),
    { headers: { cookie: s.cookie } },
  )
  console.log(c.slice(0, 40), (await r.arrayBuffer()).byteLength, r.headers.get('content-encoding'))
}
const end = performance.now() + 8000
let n = 0
while (performance.now() < end) {
  await Promise.all(dashboardOf(s).map((c) => timeOf(s, c)))
  n++
}
console.log(n, 'dashboards')
await s.server.stop()
