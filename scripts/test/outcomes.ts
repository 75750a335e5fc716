import { readFileSync, writeFileSync } from 'node:fs'

/** The result of one test, or of something around tests: a file, a group's set-up, the whole run. */
export type Outcome = {
  /** The folder of tests/ that it is of; null if that is not known. */
  suite: string | null
  test: string
  status: 'passed' | 'failed' | 'skipped'
  /** Why it failed, or what this machine lacks for it. */
  message?: string
  /** How long the test took. */
  ms?: number
}

/** Leaves a runner's outcomes in the file that the run names, if it names one. */
export function leaveOutcomes(outcomes: Outcome[]): void {
  const file = process.env.TEST_OUTCOMES
  if (file) writeFileSync(file, JSON.stringify(outcomes))
}

/** Returns the outcomes that a runner has left: none if it broke before its end. */
export function readOutcomes(file: string): Outcome[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome[]
  } catch {
    return []
  }
}

/** "api" for ".../tests/api/accounts.test.ts", whatever the folders above are called */
export function suiteOf(file: string): string | null {
  return /.*\/tests\/([a-z0-9]+)\//.exec(file)?.[1] ?? null
}
