import { readFileSync, writeFileSync } from 'node:fs'

/** What became of one test, or of something around tests: a file, a group's set-up, the whole run. */
export type Outcome = {
  /** The folder of tests/ that it is of; null where nobody can tell. */
  suite: string | null
  test: string
  status: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or what this machine lacks for it. */
  message?: string
}

/** Where a runner's reporter leaves its outcomes; only a run for the tally names a place. */
export function leaveOutcomes(outcomes: Outcome[]): void {
  const file = process.env.TEST_OUTCOMES
  if (file) writeFileSync(file, JSON.stringify(outcomes))
}

/** What a runner has left; one that broke before its end has left nothing. */
export function readOutcomes(file: string): Outcome[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome[]
  } catch {
    return []
  }
}

/** "api" of ".../tests/api/accounts.test.ts", whatever the folders above are called */
export function suiteOf(file: string): string | null {
  return /.*\/tests\/([a-z0-9]+)\//.exec(file)?.[1] ?? null
}
