import { median, quantile } from '../figures.ts'
import { dashboardOf, type Seed, type Seeded, startOn, timeOf } from './seeded.ts'

const ROUNDS = 20
const WARM_ROUNDS = 3
const STARTS = 3
const CALL_MAX_MS = 20
const CALL_RATIO_MAX = 1.3
const FILTERED_MAX_MS = 300

/** The drawer opens with the first. */
const RANGES = ['30d', '24h', '90d', '12m', 'all']
const LISTS = ['country', 'city', 'browser', 'referrer']
const drawer = ['figures?', ...LISTS.map((facet) => `breakdown?facet=${facet}&`), 'heatmap?']
const drawerCalls = [...drawer, 'classes?']

/** As many pairs as there are rounds: a new filter asks for figures that were not counted before. */
const filters = ['Mobile', 'Tablet', 'Desktop'].flatMap((device) =>
  'GB DE US FR NL IE ES IT PL AT CH'
    .split(' ')
    .map((country) => `&country=${country}&device=${device}`),
)

type Call = { title: string; of: (seeded: Seeded, round: number) => string }

const scopes = [
  { scope: 'all codes', qr: () => '' },
  { scope: 'one code', qr: ({ hot }: Seeded) => `qr=${hot.id}&` },
]

const plainCalls: Call[] = [
  ...dashboardTitles().map((title, index) => ({
    title,
    of: (seeded: Seeded) => dashboardOf(seeded)[index] as string,
  })),
  ...scopes.flatMap(({ scope, qr }) =>
    RANGES.flatMap((range) =>
      drawerCalls.map((call) => ({
        title: `${call}range=${range}, ${scope}`,
        of: (seeded: Seeded) => `/api/analytics/${call}${qr(seeded)}range=${range}`,
      })),
    ),
  ),
]

const filteredCalls: Call[] = scopes.flatMap(({ scope, qr }) =>
  drawerCalls.map((call) => ({
    title: `${call}range=30d with two filters, ${scope}`,
    of: (seeded: Seeded, round: number) =>
      `/api/analytics/${call}${qr(seeded)}range=30d${filters[round % filters.length]}`,
  })),
)

function dashboardTitles(): string[] {
  const hot = { id: ':id' } as Seeded['hot']
  return dashboardOf({ hot } as Seeded)
}

/** Each call's first time after a start, the median of some starts, by its title. */
export async function firstTimes(seed: Seed): Promise<Map<string, number>> {
  const times = new Map<string, number[]>()
  for (let start = 0; start < STARTS; start++) {
    const seeded = await startOn(seed)
    try {
      for (const { title, of } of plainCalls) {
        const time = await timeOf(seeded, of(seeded, 0))
        times.set(title, [...(times.get(title) ?? []), time])
      }
    } finally {
      await seeded.server.stop()
    }
  }
  return new Map([...times].map(([title, each]) => [title, median(each)]))
}

/** Times the calls with few scans and with many, in turns. Answers whether all are within their limits. */
export async function compareCalls(
  [few, many]: [Seeded, Seeded],
  first: Map<string, number>,
): Promise<boolean> {
  let isMet = true
  for (const { title, of } of plainCalls) {
    const [small, large] = await inTurns([few, many], of)
    const ratio = median(large) / median(small)
    const cold = first.get(title) ?? 0
    const isGood = Math.max(median(large), cold) <= CALL_MAX_MS && ratio <= CALL_RATIO_MAX
    isMet &&= isGood
    console.log(
      `${isGood ? ' ' : '!'} ${title}: ${median(large).toFixed(1)} ms (p95 ` +
        `${quantile(large, 0.95).toFixed(1)}, first after a start ${cold.toFixed(1)}), ` +
        `${ratio.toFixed(2)} x of ${few.scans} scans`,
    )
  }
  for (const { title, of } of filteredCalls) {
    const [, large] = await inTurns([few, many], of)
    const isGood = Math.max(...large) <= FILTERED_MAX_MS
    isMet &&= isGood
    console.log(
      `${isGood ? ' ' : '!'} ${title}: ${median(large).toFixed(1)} ms (most ${Math.max(...large).toFixed(1)})`,
    )
  }
  console.log(
    `a call at most ${CALL_MAX_MS} ms and ${CALL_RATIO_MAX} x, with two filters ` +
      `${FILTERED_MAX_MS} ms: ${isMet ? 'met' : 'not met'}`,
  )
  return isMet
}

async function inTurns(sizes: [Seeded, Seeded], of: Call['of']): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    for (const [size, seeded] of sizes.entries()) {
      const time = await timeOf(seeded, of(seeded, round))
      if (round >= WARM_ROUNDS) times[size]?.push(time)
    }
  }
  return times
}
