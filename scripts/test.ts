/**
 * `npm test`: builds what is stale, then runs the unit, API and browser tests and adds them up.
 * `--soak` runs the long property, race and kill tests in full. A suite that ran no test has failed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'

type Tally = { passed: number; failed: number; skipped: number }
type Suite = { name: string; command: string[]; report: string; read: (report: never) => Tally }

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number }
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

const results = 'test-results'
const isSoak = process.argv.includes('--soak')

function vitest(project: string): Suite {
  const report = `${results}/${project}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...reporters],
    report,
    read: ({ numPassedTests, numFailedTests, numPendingTests }: VitestReport) => ({
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
    }),
  }
}

const browser: Suite = {
  name: 'browser',
  command: ['playwright', 'test'],
  report: `${results}/browser.json`,
  // A test that passes only when tried again has failed.
  read: ({ stats }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }),
}

function run(command: string[], environment: Record<string, string> = {}): boolean {
  const [program = '', ...args] = command
  const env = { ...process.env, ...environment }
  return spawnSync(program, args, { stdio: 'inherit', env }).status === 0
}

/** Runs one suite; what it reports counts, and an exit that disagrees is a failure of its own. */
function tally(suite: Suite): Tally {
  const succeeded = run(suite.command, {
    SOAK: isSoak ? '1' : '',
    PLAYWRIGHT_JSON_OUTPUT_NAME: browser.report,
  })
  const counted = readReport(suite)
  const ran = counted.passed + counted.failed
  if (ran === 0) console.error(`${suite.name}: ran no test`)
  const isBroken = ran === 0 || (!succeeded && counted.failed === 0) || counted.skipped > 0
  return isBroken ? { ...counted, failed: counted.failed + 1 } : counted
}

function readReport(suite: Suite): Tally {
  try {
    return suite.read(JSON.parse(readFileSync(suite.report, 'utf8')) as never)
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const engines = process.env.TEST_DATABASE_URL ? 'SQLite and PostgreSQL' : 'SQLite'
console.log(`API tests run on ${engines}${isSoak ? ', in full' : ''}`)

if (!run(['node', 'scripts/build.ts', '--if-stale'])) process.exit(1)
const suites = [vitest('unit'), vitest('api'), browser]
const tallies = suites.map((suite) => ({ name: suite.name, ...tally(suite) }))
for (const { name, passed, failed, skipped } of tallies) {
  console.log(`${name}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
}
const sum = (key: keyof Tally) => tallies.reduce((total, each) => total + each[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
