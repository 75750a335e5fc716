/**
 * `npm test` runs the unit, API and browser tests and adds them up. `npm test -- dashboard` runs
 * the files with "dashboard" in their path. `--soak` runs every test in full, with a new seed or
 * the one in SEED, and says at its end what it ran. A suite that ran no test has failed. A file that
 * fails runs once more, alone, at the end: if it passes then, it is listed as FLAKY and counts as passed.
 * With TEST_CHDB, a folder with chdb, the tests of scans run once more with the scans in ClickHouse.
 */

import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { sharedMemory } from '../tests/support/shared-memory.ts'
import { fail } from './command.ts'
import { type Outcome, readOutcomes } from './test/outcomes.ts'
import { fileOf, filesToRepeat, isFailure, settle } from './test/second-run.ts'
import {
  type Build,
  globs,
  neededBuild,
  needsClickHouse,
  needsPostgres,
  type Selection,
  type Suite,
  selected,
} from './test/selection.ts'

/** One program that runs tests, and the suites that it runs. */
type Runner = { suites: Suite[]; command: string[]; env?: NodeJS.ProcessEnv }

const results = 'test-results'
const LONGEST_SHOWN = 10
/** How long the suites of each program took. */
const seconds = new Map<string, number>()
const { values, positionals: patterns } = parseArgs({
  options: { soak: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isSoak = values.soak
if (isSoak) process.env.SEED ||= `${randomInt(2 ** 31)}`
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL)
const { TEST_CHDB } = process.env
delete process.env.TEST_CHDB
const hasClickHouse = Boolean(hasPostgres && TEST_CHDB)
/** Before the names of tests that run with scans in ClickHouse: the same files run without, too. */
const CLICKHOUSE = 'clickhouse: '

function chosenFiles(): Selection {
  const all = Object.fromEntries(
    Object.entries(globs).map(([suite, glob]) => [suite, globSync(glob).sort()]),
  ) as Selection
  const chosen = selected(all, patterns, isSoak)
  const files = Object.values(chosen).flat()
  if (files.length === 0) {
    const run = isSoak ? 'soak' : 'test'
    fail(`No file of npm run ${run} has ${patterns.join(' or ')} in its path`)
  }
  if (!hasPostgres && files.every(needsPostgres)) {
    fail(`${files.join(' and ')} needs a PostgreSQL server in TEST_DATABASE_URL`)
  }
  if (!hasClickHouse && files.every(needsClickHouse)) {
    fail(`${files.join(' and ')} needs PostgreSQL in TEST_DATABASE_URL and chdb in TEST_CHDB`)
  }
  return hasClickHouse ? chosen : { ...chosen, clickhouse: [] }
}

const vitest = [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=./scripts/test/vitest-reporter.ts',
]

/** The programs that run the suites. */
const programs: Runner[] = [
  { suites: ['unit', 'api'], command: vitest },
  { suites: ['browser'], command: ['playwright', 'test'] },
  {
    suites: ['clickhouse'],
    // They wait for one engine, which does one thing at a time.
    command: [...vitest, '--project=api', '--maxWorkers=2'],
    env: { TEST_CHDB },
  },
]

/** The programs that run the chosen files. */
function runnersOf(files: Selection): Runner[] {
  return programs.flatMap(({ suites, command, env }) => {
    const chosen = suites.filter((suite) => files[suite].length > 0)
    const areNamed = patterns.length > 0 || suites.includes('clickhouse')
    const named = areNamed ? chosen.flatMap((suite) => files[suite]) : []
    return chosen.length > 0 ? [{ suites: chosen, command: [...command, ...named], env }] : []
  })
}

/** @param isBeside another program writes at the same time, so the output waits for the end */
async function run(runner: Runner, results: string, isBeside: boolean): Promise<boolean> {
  const [program = '', ...args] = runner.command
  const env = { ...process.env, SOAK: isSoak ? '1' : '', TEST_OUTCOMES: results, ...runner.env }
  const child = spawn(program, args, {
    stdio: ['ignore', isBeside ? 'pipe' : 'inherit', 'inherit'],
    env,
  })
  const [output, code] = await Promise.all([
    child.stdout && text(child.stdout),
    new Promise((resolve) => child.once('exit', resolve)),
  ])
  if (output) console.log(output)
  return code === 0
}

function build(needed: Build): void {
  const isBuilt = ['dist/client', 'dist/openapi.json'].every((path) => existsSync(path))
  if (needed === 'none' || (needed === 'if missing' && isBuilt)) return
  const { status } = spawnSync('node', ['scripts/build.ts', '--if-stale'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** Runs one file again, alone. */
function runAlone(file: string): Promise<Outcome[]> {
  console.log(`${file} failed and runs once more, alone`)
  const suite = suiteOfFile(file)
  const { command = [], env } = programs.find(({ suites }) => suites.includes(suite)) ?? {}
  const alone = [...command, file.replace(CLICKHOUSE, '')]
  return outcomesOf({ suites: [suite], command: alone, env }, { name: `${file}, again` })
}

function suiteOfFile(file: string): Suite {
  if (file.startsWith(CLICKHOUSE)) return 'clickhouse'
  return file.includes('/e2e/') ? 'browser' : file.includes('/api/') ? 'api' : 'unit'
}

/** Runs the tests. A suite that left tests out without a reason, or ended without saying what failed, has failed too. */
async function outcomesOf(
  runner: Runner,
  { name = runner.suites.join(' and '), isBeside = false } = {},
): Promise<Outcome[]> {
  const { suites, command } = runner
  const file = `${results}/${name.replaceAll(/\W+/g, '-')}.json`
  const start = performance.now()
  const succeeded = await run(runner, file, isBeside)
  seconds.set(name, (performance.now() - start) / 1_000)
  const [first = ''] = suites
  const isClickHouse = first === 'clickhouse'
  const outcomes = readOutcomes(file).map((outcome) => ({
    ...outcome,
    suite: isClickHouse ? first : (outcome.suite ?? first),
    test: isClickHouse ? CLICKHOUSE + outcome.test : outcome.test,
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

/**
 * One browser runs beside the other suites, which wait as often as they work: both end together, and
 * each further browser and its server would take five seconds of a core. In a soak several run after them.
 */
async function outcomesOfAll(runners: Runner[]): Promise<Outcome[]> {
  const [others, browser, ...last] = runners
  if (others && browser?.suites.includes('browser') && !isSoak) {
    const three = { ...others, command: [...others.command, '--maxWorkers=3'] }
    const one = { ...browser, command: [...browser.command, '--workers=1'] }
    const all = await Promise.all([outcomesOf(three), outcomesOf(one, { isBeside: true })])
    for (const runner of last) all.push(await outcomesOf(runner))
    return all.flat()
  }
  const outcomes: Outcome[] = []
  for (const runner of runners) outcomes.push(...(await outcomesOf(runner)))
  return outcomes
}

/** Data of tests are in memory where there is room: on a disk that others use each commit waits. */
function newRunFolder(): string {
  return mkdtempSync(join(sharedMemory() ?? tmpdir(), 'tessera-run-'))
}

/** Returns the fault of a suite in which no test failed, if it has one. */
function faultOf(outcomes: Outcome[]): string | null {
  if (outcomes.length === 0) return 'ran no test'
  const skipped = outcomes.filter(({ status, message }) => status === 'skipped' && !message).length
  return skipped > 0 && !outcomes.some(isFailure) ? `left out ${skipped} tests` : null
}

/** Prints a failure at the end, for people who read only the last lines. */
function sayFailure(kind: 'FAILED' | 'FLAKY', { test, message = '' }: Outcome): void {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .map((line) => `    ${line}`)
  console.log([`${kind} ${test}`, ...lines.slice(0, 20)].join('\n'))
}

/** Prints the files whose tests took longest, and how long each suite took: suites share the processor. */
function sayTimes(outcomes: Outcome[]): void {
  const times = new Map<string, number>()
  for (const outcome of outcomes) {
    const file = fileOf(outcome) ?? ''
    times.set(file, (times.get(file) ?? 0) + (outcome.ms ?? 0))
  }
  const longest = [...times].sort(([, one], [, other]) => other - one).slice(0, LONGEST_SHOWN)
  for (const [file, ms] of longest) console.log(`${(ms / 1_000).toFixed(0).padStart(5)} s ${file}`)
  for (const [suites, took] of seconds) console.log(`${suites}: ${took.toFixed(0)} s`)
  if (isSoak) console.log(`run in full with SEED=${process.env.SEED}`)
}

function tallyOf(outcomes: Outcome[]): string {
  const count = (status: Outcome['status']) =>
    outcomes.filter((outcome) => outcome.status === status).length
  return `${count('passed')} passed, ${count('failed')} failed`
}

const files = chosenFiles()
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
if (files.api.length > 0) {
  const engines = hasPostgres ? 'SQLite and PostgreSQL' : 'SQLite'
  console.log(`API tests run on ${engines}${isSoak ? ', in full' : ''}`)
}

build(neededBuild(files))
const folder = newRunFolder()
process.env.TEST_DIR = folder
// Threads and processes load compiled modules, as those of npm start do: half of their start.
process.env.NODE_COMPILE_CACHE ??= resolve('dist/compile-cache')
// Node reads TypeScript itself, in less time than Playwright's compiler.
process.env.PW_DISABLE_TS_ESM = '1'
const runners = runnersOf(files)
const first = await outcomesOfAll(runners)
const again = new Map<string, Outcome[]>()
for (const file of filesToRepeat(first)) again.set(file, await runAlone(file))
const { outcomes, flaky } = settle(first, again)
rmSync(folder, { recursive: true, force: true })
for (const { test, status, message } of outcomes) {
  if (status === 'skipped' && message) console.log(`SKIPPED ${test}: ${message}`)
}
sayTimes(outcomes)
for (const failure of flaky) sayFailure('FLAKY', failure)
for (const failure of outcomes.filter(isFailure)) sayFailure('FAILED', failure)
for (const suite of runners.flatMap(({ suites }) => suites)) {
  console.log(`${suite}: ${tallyOf(outcomes.filter((outcome) => outcome.suite === suite))}`)
}
console.log(tallyOf(outcomes))
process.exitCode = outcomes.some(isFailure) ? 1 : 0
