/**
 * `npm test`: builds what is stale, then runs the unit, API and browser tests and adds them up.
 * `--soak` runs the long property, race and kill tests in full. A suite that ran no test has failed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { type Outcome, readOutcomes } from './test/outcomes.ts'

/** One program that runs tests, and the suites that it runs. */
type Runner = { suites: [string, ...string[]]; command: string[] }

const results = 'test-results'
const isSoak = process.argv.includes('--soak')

const runners: Runner[] = [
  {
    suites: ['unit', 'api'],
    // Together: what the one waits for leaves time to the other.
    command: [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=./scripts/test/vitest-reporter.ts',
    ],
  },
  { suites: ['browser'], command: ['playwright', 'test'] },
]

function run(command: string[], environment: Record<string, string> = {}): boolean {
  const [program = '', ...args] = command
  const env = { ...process.env, ...environment }
  return spawnSync(program, args, { stdio: 'inherit', env }).status === 0
}

/** Runs the tests; what was left out, or ended without saying what failed, has failed too. */
function outcomesOf({ suites, command }: Runner): Outcome[] {
  const file = `${results}/${suites.join('-')}.json`
  const succeeded = run(command, { SOAK: isSoak ? '1' : '', TEST_OUTCOMES: file })
  const [first] = suites
  const outcomes = readOutcomes(file).map((outcome) => ({
    ...outcome,
    suite: outcome.suite ?? first,
  }))
  for (const suite of suites) {
    const fault = faultOf(outcomes.filter((outcome) => outcome.suite === suite))
    if (fault) outcomes.push({ suite, test: suite, status: 'failed', message: fault })
  }
  if (!succeeded && !outcomes.some(isFailure)) {
    const message = 'ended as failed, and no test had'
    outcomes.push({ suite: first, test: command.join(' '), status: 'failed', message })
  }
  return outcomes
}

const isFailure = ({ status }: Outcome) => status === 'failed'

/** What is wrong with a suite in which nothing failed. */
function faultOf(outcomes: Outcome[]): string | null {
  if (outcomes.length === 0) return 'ran no test'
  const skipped = outcomes.filter(({ status }) => status === 'skipped').length
  return skipped > 0 && !outcomes.some(isFailure) ? `left out ${skipped} tests` : null
}

/** Said once more at the end: whoever reads only the last lines learns what failed, and how. */
function sayFailure({ test, message = '' }: Outcome): void {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .map((line) => `    ${line}`)
  console.log([`FAILED ${test}`, ...lines.slice(0, 20)].join('\n'))
}

function tallyOf(outcomes: Outcome[]): string {
  const count = (status: Outcome['status']) =>
    outcomes.filter((outcome) => outcome.status === status).length
  return `${count('passed')} passed, ${count('failed')} failed`
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const engines = process.env.TEST_DATABASE_URL ? 'SQLite and PostgreSQL' : 'SQLite'
console.log(`API tests run on ${engines}${isSoak ? ', in full' : ''}`)

if (!run(['node', 'scripts/build.ts', '--if-stale'])) process.exit(1)
const outcomes = runners.flatMap(outcomesOf)
for (const failure of outcomes.filter(isFailure)) sayFailure(failure)
for (const suite of runners.flatMap(({ suites }) => suites)) {
  console.log(`${suite}: ${tallyOf(outcomes.filter((outcome) => outcome.suite === suite))}`)
}
console.log(tallyOf(outcomes))
process.exitCode = outcomes.some(isFailure) ? 1 : 0
