/**
 * `npm test`: builds what is stale, then runs the unit, API and browser tests and adds them up.
 * `--soak` runs the long property, race and kill tests in full. A suite that ran no test has failed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

type Tally = { passed: number; failed: number; skipped: number }
type Failure = { test: string; message: string }
/** One program that runs tests; what it reports is counted by suite. */
type Runner = {
  suites: string[]
  command: string[]
  report: string
  read: (report: never, suite: string) => Tally
  failures: (report: never) => Failure[]
}

type VitestReport = {
  testResults: {
    name: string
    /** Why the file as a whole failed. */
    message: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}
type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    line: number
    tests: { status: string; results: { errors: { message?: string }[] }[] }[]
  }[]
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

const results = 'test-results'
const isSoak = process.argv.includes('--soak')

const vitestReport = `${results}/vitest.json`
const vitest: Runner = {
  suites: ['unit', 'api'],
  // Together: what the one waits for leaves time to the other.
  command: [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
  ],
  report: vitestReport,
  read: ({ testResults }: VitestReport, suite) => {
    const files = testResults.filter(({ name }) => name.includes(`/tests/${suite}/`))
    const statuses = files.flatMap(({ assertionResults }) =>
      assertionResults.map(({ status }) => status),
    )
    const passed = statuses.filter((status) => status === 'passed').length
    const failed = statuses.filter((status) => status === 'failed').length
    const unread = files.filter(failedAsAWhole).length
    return { passed, failed: failed + unread, skipped: statuses.length - passed - failed }
  },
  failures: ({ testResults }: VitestReport) =>
    testResults.flatMap((result) => {
      const file = relative('.', result.name)
      if (failedAsAWhole(result)) return [{ test: file, message: result.message }]
      return result.assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          test: `${file} › ${fullName}`,
          message: failureMessages?.join('\n') ?? '',
        }))
    }),
}

/** Could not be loaded, or broke outside its tests. */
function failedAsAWhole({ message, assertionResults }: VitestReport['testResults'][number]) {
  return message !== '' && assertionResults.every(({ status }) => status !== 'failed')
}

const browser: Runner = {
  suites: ['browser'],
  command: ['playwright', 'test'],
  report: `${results}/browser.json`,
  // A test that passes only when tried again has failed.
  read: ({ stats }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }),
  failures: ({ suites }: PlaywrightReport) =>
    specsOf(suites).flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => ({
          test: `${file}:${line} › ${title}`,
          message: results.flatMap(({ errors }) => errors.map((error) => error.message)).join('\n'),
        })),
    ),
}

function specsOf(suites: PlaywrightSuite[]): PlaywrightSuite['specs'] {
  return suites.flatMap((suite) => [...suite.specs, ...specsOf(suite.suites ?? [])])
}

function run(command: string[], environment: Record<string, string> = {}): boolean {
  const [program = '', ...args] = command
  const env = { ...process.env, ...environment }
  return spawnSync(program, args, { stdio: 'inherit', env }).status === 0
}

/** Runs the tests; what is reported counts, and an exit that disagrees is a failure of its own. */
function tallies(runner: Runner): Record<string, Tally> {
  const succeeded = run(runner.command, {
    SOAK: isSoak ? '1' : '',
    PLAYWRIGHT_JSON_OUTPUT_NAME: browser.report,
  })
  const counted = runner.suites.map((suite) => readReport(runner, suite))
  const explained = succeeded || counted.some(({ failed }) => failed > 0)
  return Object.fromEntries(
    runner.suites.map((suite, index) => [suite, judged(suite, counted[index] as Tally, explained)]),
  )
}

/** A suite that ran no test, left some out, or ended without saying what failed, has failed. */
function judged(suite: string, counted: Tally, isExplained: boolean): Tally {
  const hasRun = counted.passed + counted.failed > 0
  if (!hasRun) console.error(`${suite}: ran no test`)
  const isSound = hasRun && isExplained && counted.skipped === 0
  return isSound ? counted : { ...counted, failed: counted.failed + 1 }
}

/** Said once more at the end: whoever reads only the last lines learns what failed, and how. */
function sayFailures(runner: Runner): void {
  for (const { test, message } of failuresOf(runner)) {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => !line.includes('/node_modules/'))
      .map((line) => `    ${line}`)
    console.log([`FAILED ${test}`, ...lines.slice(0, 15)].join('\n'))
  }
}

function failuresOf(runner: Runner): Failure[] {
  try {
    return runner.failures(JSON.parse(readFileSync(runner.report, 'utf8')) as never)
  } catch {
    return [{ test: runner.command.join(' '), message: 'left no report' }]
  }
}

function readReport(runner: Runner, suite: string): Tally {
  try {
    return runner.read(JSON.parse(readFileSync(runner.report, 'utf8')) as never, suite)
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const engines = process.env.TEST_DATABASE_URL ? 'SQLite and PostgreSQL' : 'SQLite'
console.log(`API tests run on ${engines}${isSoak ? ', in full' : ''}`)

if (!run(['node', 'scripts/build.ts', '--if-stale'])) process.exit(1)
const all = Object.entries({ ...tallies(vitest), ...tallies(browser) })
sayFailures(vitest)
sayFailures(browser)
for (const [suite, { passed, failed, skipped }] of all) {
  console.log(
    `${suite}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
  )
}
const sum = (key: keyof Tally) => all.reduce((total, [, tally]) => total + tally[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
