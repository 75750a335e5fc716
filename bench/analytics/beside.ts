import { evenLoad } from '../even-visits.ts'
import { median, quantile } from '../figures.ts'
import { cpuBetween, threadCpu } from '../thread-cpu.ts'
import { dashboardOf, type Seeded, timeOf } from './seeded.ts'

const ROUNDS = 6
const REDIRECTS = { perSecond: 300, seconds: 4, expected: 302 }
const RATIO_MAX = 1.5

/** The times of the redirects of one round, and the threads' CPU during it in microseconds. */
type Round = { p99: number; median: number; cpu: Map<string, number> }

/**
 * The redirects' 99th percentile while the dashboard is loaded in a loop against that without, in turns.
 * Returns true if it is within its limit.
 */
export async function besideDashboards(seeded: Seeded): Promise<boolean> {
  const load = evenLoad()
  const pid = seeded.server.child.pid as number
  const origin = seeded.server.origin.replace('localhost', '127.0.0.1')
  const job = { url: `${origin}/qr/${seeded.hot.shortCode}`, ...REDIRECTS }
  const round = async (): Promise<Round> => {
    const before = await threadCpu(pid)
    const { times } = await load.send(job)
    const cpu = cpuBetween(before, await threadCpu(pid))
    return { p99: quantile(times, 0.99), median: median(times), cpu }
  }
  const alone: Round[] = []
  const beside: Round[] = []
  let loaded = 0
  for (let count = 0; count < ROUNDS; count++) {
    alone.push(await round())
    let isOver = false
    const loop = (async () => {
      for (; !isOver; loaded++) {
        await Promise.all(dashboardOf(seeded).map((call) => timeOf(seeded, call)))
      }
    })()
    beside.push(await round())
    isOver = true
    await loop
  }
  await load.end()
  const of = (rounds: Round[], key: 'p99' | 'median') => median(rounds.map((each) => each[key]))
  const ratio = of(beside, 'p99') / of(alone, 'p99')
  console.log(
    `${seeded.scans} scans: a redirect takes ${of(alone, 'median').toFixed(2)} ms, p99 ` +
      `${of(alone, 'p99').toFixed(2)} ms; beside ${(loaded / ROUNDS / REDIRECTS.seconds).toFixed(0)} ` +
      `dashboards a second ${of(beside, 'median').toFixed(2)} ms, p99 ${of(beside, 'p99').toFixed(2)} ms: ` +
      `${ratio.toFixed(2)} x`,
  )
  const redirects = REDIRECTS.perSecond * REDIRECTS.seconds
  const extra = (name: string) =>
    median(beside.map(({ cpu }) => cpu.get(name) ?? 0)) -
    median(alone.map(({ cpu }) => cpu.get(name) ?? 0))
  const names = new Set(beside.flatMap(({ cpu }) => [...cpu.keys()]))
  const each = [...names].map((name) => [name, extra(name) / (loaded / ROUNDS)] as const)
  const own = median(alone.map(({ cpu }) => (cpu.get('main') ?? 0) / redirects))
  const texts = each
    .filter(([, micros]) => micros > 100)
    .sort(([, one], [, other]) => other - one)
    .map(([name, micros]) => `${name} ${(micros / 1000).toFixed(1)}`)
  console.log(
    `  CPU: ${own.toFixed(0)} µs of the main thread a redirect; ms a dashboard: ${texts.join(', ')}`,
  )
  return ratio <= RATIO_MAX
}
