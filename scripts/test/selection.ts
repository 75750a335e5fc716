/** The files of a run, by suite. */
export type Selection = { unit: string[]; api: string[]; browser: string[] }

export type Suite = keyof Selection

/** Where the files of each suite are. */
export const globs: Record<Suite, string> = {
  unit: 'tests/unit/**/*.test.ts',
  api: 'tests/api/**/*.test.ts',
  browser: 'tests/e2e/**/*.spec.ts',
}

/** API tests that read the build as it is now; an older one does for the others. */
const LOOKS_AT_PAGES =
  /\/(pages|landing|start|demo|api-description|described-answers|generated-client)\.(soak\.)?test\.ts$/

/** The files whose path contains one of the patterns, or all without a pattern; a soak's own only in a soak. */
export function selected(files: Selection, patterns: string[], isSoak = false): Selection {
  const isMeant = (file: string) =>
    (isSoak || !file.includes('.soak.')) &&
    (patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  return {
    unit: files.unit.filter(isMeant),
    api: files.api.filter(isMeant),
    browser: files.browser.filter(isMeant),
  }
}

/** Tests about PostgreSQL alone need a server. */
export const needsPostgres = (file: string) => file.endsWith('-postgres.test.ts')

export type Build = 'none' | 'if missing' | 'if stale'

/** Which build of the pages the files need. */
export function neededBuild({ browser, api }: Selection): Build {
  if (browser.length > 0 || api.some((file) => LOOKS_AT_PAGES.test(file))) return 'if stale'
  return api.length > 0 ? 'if missing' : 'none'
}
