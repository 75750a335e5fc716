import { defineConfig } from '@playwright/test'
import { chromium } from './tests/support/chromium.ts'

const { executablePath, args } = await chromium()

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    actionTimeout: 15_000,
    launchOptions: { executablePath, args },
    screenshot: 'only-on-failure',
    // Kept on request: recording takes a sixth of the suite's time.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    acceptDownloads: true,
  },
})
