/** `npm run bench -- NAME` runs one of the benchmarks in this folder; each prints ratios. */
const benches: Record<string, () => Promise<unknown>> = {
  redirect: () => import('./redirect.ts'),
  start: () => import('./start.ts'),
  images: () => import('./images.ts'),
  dashboard: () => import('./dashboard.ts'),
  web: () => import('./web.ts'),
  analytics: () => import('./analytics/analytics.ts'),
  'scans-store': () => import('./scans-store.ts'),
  imports: () => import('./imports.ts'),
  'request-files': () => import('./request-files.ts'),
}

const name = process.argv[2] ?? ''
const bench = benches[name]
if (bench) await bench()
else {
  console.error(`npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exitCode = 1
}

export {}
