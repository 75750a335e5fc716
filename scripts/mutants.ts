/**
 * `npm run mutants` asks whether the tests would find a fault: it puts the faults of `mutants.json` into
 * the source, one at a time, and runs the tests that guard that place. `--only NAME` takes those whose name
 * contains NAME, `--all` runs all unit and API tests on a fault that its own tests have not found, and
 * `--quick` leaves out the first run, which sees that the tests pass without a fault.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sharedMemory } from '../tests/support/shared-memory.ts'
import { fail } from './command.ts'
import faults from './mutants.json' with { type: 'json' }
import { readOutcomes } from './test/outcomes.ts'
import { globs, neededBuild, needsPostgres, type Selection, selected } from './test/selection.ts'

/** `find` is in the file once; `tests` are parts of paths, as `npm test` takes them. */
type Fault = (typeof faults)[number]

/** A fault can make a program run for ever. */
const RUN_MAX_MS = 30 * 60_000

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(sharedMemory() ?? tmpdir(), 'tessera-mutants-'))
const outcomesFile = join(folder, 'outcomes.json')
const tests = Object.fromEntries(
  Object.entries(globs).map(([suite, glob]) => [suite, globSync(glob).sort()]),
) as Selection

/** The file that has a fault now, with its own text. */
let changed: { file: string; text: string } | null = null
/** The pages in dist/ were built with a fault. */
let hasFaultyPages = false
let running: ChildProcess | null = null

function restore(): void {
  if (changed) writeFileSync(changed.file, changed.text)
  changed = null
}

process.on('exit', () => {
  restore()
  // The next command that needs the pages builds them if they are missing.
  if (hasFaultyPages) rmSync('dist/client', { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    endRunning()
    process.exit(1)
  })
}

/** Ends a run with all its processes. */
function endRunning(): void {
  try {
    if (running?.pid) process.kill(-running.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

/** Runs a program, and shows what it prints if it fails and `isShown`. Returns whether it succeeded. */
async function run(command: string[], isShown = false): Promise<boolean> {
  const [program = '', ...args] = command
  const env = {
    ...process.env,
    TEST_DIR: folder,
    TEST_OUTCOMES: outcomesFile,
    NODE_COMPILE_CACHE: resolve('dist/compile-cache'),
  }
  rmSync(outcomesFile, { force: true })
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running = child
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const timer = setTimeout(endRunning, RUN_MAX_MS)
  const succeeded = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
  clearTimeout(timer)
  running = null
  if (!succeeded && isShown) console.error(printed.slice(-5_000))
  return succeeded
}

/** The test files whose path contains one of the patterns, without those that this machine cannot run. */
function filesOf(patterns: string[]): Selection {
  const { unit, api, browser } = selected(tests, patterns, true)
  const isRunnable = (file: string) =>
    Boolean(process.env.TEST_DATABASE_URL) || !needsPostgres(file)
  return { unit, api: api.filter(isRunnable), browser, clickhouse: [] }
}

/** Runs tests up to the first that fails. Returns its name, or null if all pass. */
async function firstFailure(files: Selection): Promise<string | null> {
  if (neededBuild(files) !== 'none') {
    if (!(await run(['node', 'scripts/build.ts', '--if-stale'], true))) fail('The build failed')
    hasFaultyPages = changed !== null
  }
  const cheap = [...files.unit, ...files.api]
  const vitest = ['vitest', 'run', '--bail=1', '--reporter=./scripts/test/vitest-reporter.ts']
  const runs = [
    ...(cheap.length > 0 ? [[...vitest, ...cheap]] : []),
    ...(files.browser.length > 0
      ? [['env', 'SOAK=1', 'playwright', 'test', '-x', ...files.browser]]
      : []),
  ]
  for (const command of runs) {
    if (await run(command)) continue
    const failed = readOutcomes(outcomesFile).find(({ status }) => status === 'failed')
    return failed?.test ?? `${command[0]} broke`
  }
  return null
}

/** Returns why a fault cannot be tried: its file, its text or its tests are gone. Null if it can. */
function troubleOf({ file, find, tests }: Fault): string | null {
  const text = globSync(file).length > 0 ? readFileSync(file, 'utf8') : undefined
  if (text === undefined) return `there is no ${file}`
  const count = text.split(find).length - 1
  if (count !== 1) return `${file} has its text ${count} times`
  const lost = tests.filter((pattern) => Object.values(filesOf([pattern])).flat().length === 0)
  return lost.length > 0 ? `no test file has ${lost.join(' or ')} in its path` : null
}

/** Puts a fault into its file, runs its tests, and takes it out again. Returns the test that found it. */
async function finderOf({ file, find, replace, tests }: Fault): Promise<string | null> {
  const text = readFileSync(file, 'utf8')
  changed = { file, text }
  writeFileSync(
    file,
    text.replace(find, () => replace),
  )
  const finder = await firstFailure(filesOf(tests))
  const everything: Selection = { ...filesOf([]), browser: [] }
  const last = finder === null && options.all ? await firstFailure(everything) : finder
  restore()
  return last
}

const { stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=no'])
if (String(stdout).trim() !== '') fail('There are changes that are not committed')
const chosen = faults.filter(
  ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
)
if (chosen.length === 0) fail(`No fault has ${options.only.join(' or ')} in its name`)
const troubles = chosen.flatMap((fault) => {
  const trouble = troubleOf(fault)
  return trouble ? [`ERROR ${fault.name}: ${trouble}`] : []
})
if (troubles.length > 0) fail(troubles.join('\n'))
mkdirSync('test-results', { recursive: true })

if (!options.quick) {
  const failing = await firstFailure(filesOf(chosen.flatMap(({ tests }) => tests)))
  if (failing) fail(`A test fails without a fault: ${failing}`)
}
let found = 0
for (const fault of chosen) {
  const began = performance.now()
  const finder = await finderOf(fault)
  const seconds = Math.round((performance.now() - began) / 1000)
  if (finder) found++
  console.log(`${finder ? 'found   ' : 'SURVIVED'} ${fault.name} (${seconds} s)`)
  if (finder) console.log(`         by ${finder}`)
}
if (hasFaultyPages) {
  await run(['node', 'scripts/build.ts', '--if-stale'], true)
  hasFaultyPages = false
}
console.log(`${found} of ${chosen.length} found`)
process.exitCode = found === chosen.length ? 0 : 1
