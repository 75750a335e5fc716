import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { STEP_LIMIT_MS, TEST_LIMIT_MS } from './tests/support/limits.ts'
import { isSoak } from './tests/support/soak.ts'

const shared = {
  environment: 'node',
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: STEP_LIMIT_MS, interval: 20 } },
  // A worker loads each module once, not once a file: a fifth of the time.
  isolate: false,
} as const

/** What is only about PostgreSQL needs a server, and a file without a test would count as failed. */
const withoutServer = process.env.TEST_DATABASE_URL ? [] : ['tests/api/*-postgres.test.ts']
const withoutChdb = process.env.TEST_CHDB ? [] : ['tests/api/*-clickhouse.test.ts']

/** Files that only a soak runs. */
const long = isSoak ? [] : ['tests/api/*.soak.test.ts']

/** Replaces a module that no other file may have loaded before, so each has a worker of its own. */
const mocking = ['tests/unit/database/sqlite-dialect.test.ts']

/** Node loads these modules itself, in half of the time that Vite takes. */
const native = { ...shared, experimental: { viteModuleRunner: false, nodeLoader: false } }

/** JSX and styles need Vite. */
const viaVite = ['tests/unit/client/**/*.test.ts']

const unit = ['tests/unit/**/*.test.ts']
const api = ['tests/api/**/*.test.ts']
const globalSetup = './tests/support/templates.ts'

/** The files that wait for long, or take a soak many minutes each, the longest first. */
const LONG = [
  '/backups.',
  '/domains-https.',
  '/stripe-orders.',
  '/copy-postgres.',
  '/kept-memory.',
  '/labels.',
  '/import-kill.',
  '/looks.',
  '.soak.',
]

/** Begins with the long files: one of them would otherwise run on alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((part) => moduleId.includes(part))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    // API tests wait as often as they work, so that two cores have time for four.
    maxWorkers: 4,
    unstubGlobals: true,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...native, name: 'unit', include: unit, exclude: [...viaVite, ...mocking] } },
      { test: { ...shared, name: 'client', include: viaVite } },
      { test: { ...shared, name: 'mocking', include: mocking, isolate: true } },
      {
        test: {
          ...native,
          name: 'api',
          include: api,
          exclude: [...withoutServer, ...withoutChdb, ...long],
          globalSetup,
        },
      },
    ],
  },
})
