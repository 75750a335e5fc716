/**
 * The calls of the dashboard and the drawer where one account has 500 codes and ten million scans,
 * against 100,000 scans: the first time after a start, and then in turns; with two filters; and redirects
 * while the dashboard is loaded in a loop against redirects alone. On SQLite, and on PostgreSQL where it
 * is installed: `npm run bench -- analytics [sqlite | postgres]`. It takes some ten minutes, most of them
 * to make the scans: BENCH_DATA names a folder in which they stay for the next run.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newFolder } from '../../tests/support/folder.ts'
import { hasPostgres, throwAwayPostgres } from '../throw-away-postgres.ts'
import { besideDashboards } from './beside.ts'
import { compareCalls, firstTimes } from './calls.ts'
import { type Seed, type Seeded, seedOf, startOn } from './seeded.ts'

const CODES = '500'
const FEW = '100000'
const MANY = process.env.BENCH_SCANS ?? '10000000'

const kept = process.env.BENCH_DATA
const asked = process.argv[3]
const folder = kept ?? (await newFolder())

async function bench(postgres: string | undefined): Promise<boolean> {
  const made = (scans: string) => seedOf(folder, { scans, codes: CODES, postgres })
  const seeds: [Seed, Seed] = [await made(FEW), await made(MANY)]
  if (process.env.BENCH_ONLY_SEED) return true
  const first = await firstTimes(seeds[1])
  const sizes: [Seeded, Seeded] = [await startOn(seeds[0]), await startOn(seeds[1])]
  try {
    const met = [await compareCalls(sizes, first)]
    for (const size of sizes) met.push(await besideDashboards(size))
    return met.every(Boolean)
  } finally {
    for (const { server } of sizes) await server.stop()
  }
}

const met: boolean[] = []
try {
  if (asked !== 'postgres') met.push(await bench(undefined))
  if (asked !== 'sqlite' && hasPostgres()) {
    const postgres = await throwAwayPostgres(kept && join(kept, 'postgres'))
    try {
      console.log('PostgreSQL:')
      met.push(await bench(postgres.url))
    } finally {
      postgres.end()
    }
  }
} finally {
  if (!kept) await rm(folder, { recursive: true, force: true })
}
console.log(met.every(Boolean) ? 'all bounds are met' : 'some bounds are not met')
