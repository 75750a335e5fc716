/** The files of a run, by suite. */
export type Selection = { unit: string[]; api: string[]; browser: string[]; clickhouse: string[] }

export type Suite = keyof Selection

/** Where the files of each suite are. */
export const globs: Record<Suite, string | string[]> = {
  unit: 'tests/unit/**/*.test.ts',
  api: 'tests/api/**/*.test.ts',
  browser: 'tests/e2e/**/*.spec.ts',
  // Tests of scans that run once more with the scans in ClickHouse; tests of SQL's own tables are not among them.
  clickhouse: [
    'tests/api/{*-clickhouse,clickhouse-away-postgres}.test.ts',
    'tests/api/{analytics,campaigns,figures,figures-sums,latest-scan,list-by-scans,live-now}.test.ts',
    'tests/api/{code-table,scan-table,silent-codes}.test.ts',
    'tests/api/{account-deletion,clock,code-rules,export,figure-mails,journal-kill}.test.ts',
    'tests/api/{live,live-demo,shares,webhooks}.test.ts',
  ],
}

/** Those of ClickHouse that run in CI */
const IN_CI = /\/(figures|figures-sums|scan-table|(inbox|kills|start|upkeep)-clickhouse)\.test\.ts$/

/** API tests that read the build as it is now; an older one does for the others. */
const LOOKS_AT_PAGES =
  /\/(pages|landing|start|demo|api-description|described-answers|generated-client)\.(soak\.)?test\.ts$/

/** The files whose path contains one of the patterns, or all without a pattern; a soak's own only in a soak. */
export function selected(files: Selection, patterns: string[], isSoak = false): Selection {
  const isMeant = (file: string) =>
    (isSoak || !file.includes('.soak.')) &&
    (patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  const isNamed = isSoak || patterns.length > 0
  return {
    unit: files.unit.filter(isMeant),
    api: files.api.filter((file) => isMeant(file) && !needsClickHouse(file)),
    browser: files.browser.filter(isMeant),
    clickhouse: files.clickhouse.filter((file) => isMeant(file) && (isNamed || IN_CI.test(file))),
  }
}

/** Tests about PostgreSQL alone need a server. */
export const needsPostgres = (file: string) => file.endsWith('-postgres.test.ts')

/** Tests about ClickHouse alone need chdb besides. */
export const needsClickHouse = (file: string) => file.endsWith('-clickhouse.test.ts')

export type Build = 'none' | 'if missing' | 'if stale'

/** Which build of the pages the files need. */
export function neededBuild({ browser, api, clickhouse }: Selection): Build {
  if (browser.length > 0 || api.some((file) => LOOKS_AT_PAGES.test(file))) return 'if stale'
  return api.length + clickhouse.length > 0 ? 'if missing' : 'none'
}
