import type { Outcome } from './outcomes.ts'

/** If more files fail, something is broken, and a second run would only take time. */
const FILES_MAX = 5

export const isFailure = ({ status }: Outcome) => status === 'failed'

/** The file that an outcome names; undefined for what went wrong outside of files. */
export function fileOf({ test }: Outcome): string | undefined {
  const [file = ''] = test.split(/:\d+ › | › /)
  return /\.(test|spec)\.ts$/.test(file) ? file : undefined
}

/** The files that failed and run once more, each alone. */
export function filesToRepeat(outcomes: Outcome[]): string[] {
  const failed = outcomes.filter(isFailure).map(fileOf)
  const files = [...new Set(failed)].filter((file) => file !== undefined)
  return files.length > FILES_MAX ? [] : files
}

/**
 * Counts a file that failed, and passed alone, as passed.
 * @param again the outcomes of each file's second run
 * @returns the outcomes that count, and the failures that did not come again
 */
export function settle(
  outcomes: Outcome[],
  again: Map<string, Outcome[]>,
): { outcomes: Outcome[]; flaky: Outcome[] } {
  const passedAlone = (outcome: Outcome) => {
    const second = again.get(fileOf(outcome) ?? '') ?? []
    return second.some(({ status }) => status === 'passed') && !second.some(isFailure)
  }
  const replaced = outcomes.filter(passedAlone)
  const files = new Set(replaced.map(fileOf))
  const second = [...again].flatMap(([file, found]) => (files.has(file) ? found : []))
  return {
    outcomes: [...outcomes.filter((outcome) => !passedAlone(outcome)), ...second],
    flaky: replaced.filter(isFailure),
  }
}
