import { defineConfig } from 'vitest/config'

/** In full the long tests take minutes, and more on a busy machine. */
const testTimeout = process.env.SOAK === '1' ? 900_000 : 30_000
const shared = { environment: 'node', testTimeout, hookTimeout: 60_000 } as const

/** What is only about PostgreSQL needs a server, and a file without a test would count as failed. */
const withoutServer = process.env.TEST_DATABASE_URL ? [] : ['tests/api/*-postgres.test.ts']

/** Puts a module in another's place, which nobody else may have loaded before. */
const mocking = ['tests/api/recorder-crash.test.ts']

export default defineConfig({
  test: {
    // API tests wait as often as they work; more services and threads at once only crowd each other.
    maxWorkers: 3,
    projects: [
      { test: { ...shared, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      { test: { ...shared, name: 'mocking', include: mocking } },
      {
        test: {
          ...shared,
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude: [...mocking, ...withoutServer],
          // The server's modules are loaded once a worker, not once a file: a third of the time.
          isolate: false,
        },
      },
    ],
  },
})
