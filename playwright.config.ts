import { defineConfig } from '@playwright/test'
import { chromium } from './tests/support/chromium.ts'
import { STEP_LIMIT_MS, TEST_LIMIT_MS } from './tests/support/limits.ts'
import { isSoak } from './tests/support/soak.ts'

const launchOptions = await chromium()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  timeout: TEST_LIMIT_MS,
  expect: { timeout: STEP_LIMIT_MS },
  // One more than a small machine's cores: what one waits for leaves time to another.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A soak alone runs screens at length, other browsers' ways, and screens whose rules have tests below.
  ...(isSoak ? {} : { grepInvert: /@soak/, testIgnore: '**/*.soak.spec.ts' }),
  reporter: [['list'], ['./scripts/test/playwright-reporter.ts']],
  use: {
    actionTimeout: STEP_LIMIT_MS,
    launchOptions,
    screenshot: 'only-on-failure',
    // Kept on request: recording takes a sixth of the suite's time.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    acceptDownloads: true,
    // Frames cost a seventh of the time. The long journeys, and a soak, run with everything that moves.
    reducedMotion: isSoak ? 'no-preference' : 'reduce',
  },
})
