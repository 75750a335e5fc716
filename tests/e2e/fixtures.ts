import { createServer } from 'node:http'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { Tier } from '../../src/contract/billing/plans.ts'
import { sessionSecret } from '../../src/server/accounts/sessions/session-secret.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { enrol } from '../support/enrolment.ts'
import { listen } from '../support/free-port.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { Account } from './account.ts'

/** A site that a code leads to: each of its pages shows its own path. */
type Destination = { origin: string }

type Fixtures = {
  /** Console errors and failed answers that a test expects; every other one fails the test. */
  expected: RegExp | undefined
  /**
   * Signs a new account in, without the sign-in page. Its address is confirmed and its time zone is
   * known, unless it is new.
   */
  member: (options?: { tier?: Tier; name?: string; isNew?: boolean }) => Promise<Account>
}

/** `database` is the server's own, for states that no screen can make. */
type WorkerFixtures = {
  /**
   * Variables of the server's environment besides the usual. Such tests are in with-other-servers, the
   * last folder by name: among the others each would cost two starts of a worker, a server and a browser.
   */
  environment: Record<string, string>
  server: ServerProcess
  database: Database
  destination: Destination
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  environment: [{}, { option: true, scope: 'worker' }],

  server: [
    async ({ environment }, use) => {
      // The tests are the proxy in front of the server, and say where a visitor comes from; they take its webhooks.
      const usual = { TRUST_PROXY: '127.0.0.1,::1', WEBHOOK_ALLOW: '127.0.0.1' }
      const server = await startProcess({
        environment: { ...usual, ...environment },
        preload: 'equal-priorities.ts',
      })
      await use(server)
      const code = await server.stop()
      await server.remove()
      expect(code).toBe(0)
    },
    { scope: 'worker' },
  ],

  database: [
    async ({ server }, use) => {
      const file = join(server.dataDir, 'tessera.sqlite')
      const database = connect({ engine: 'sqlite', file }, () => {})
      await use(database)
      await database.close()
    },
    { scope: 'worker' },
  ],

  destination: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from it
    async ({}, use) => {
      const site = createServer((request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(
          `<!doctype html><link rel="icon" href="data:,"><title>Destination</title><h1>${request.url}</h1>`,
        )
      })
      await use({ origin: `http://127.0.0.1:${await listen(site)}` })
      site.close()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.origin),

  expected: [undefined, { option: true }],

  context: async ({ context, expected }, use) => {
    const faults: string[] = []
    const note = (fault: string) => {
      if (!expected?.test(fault)) faults.push(fault)
    }
    context.on('console', (line) => {
      if (line.type() === 'error') note(`console: ${line.text()} (${line.location().url})`)
    })
    context.on('weberror', (error) => note(`page error: ${error.error().message}`))
    context.on('response', (response) => {
      if (response.status() >= 500) note(`${response.status()}: ${response.url()}`)
    })
    await use(context)
    expect(faults).toEqual([])
  },

  member: async ({ context, database, server }, use) => {
    const secret = sessionSecret(server)
    const registry = { database, publicUrl: server.origin, secret }
    await use(async ({ tier = 'free', name = 'Ada Lovelace', isNew = false } = {}) => {
      const account = new Account(context.request, database)
      const { email } = account
      const { cookie, ...ids } = await enrol(registry, { email, name, emailVerified: !isNew })
      Object.assign(account, ids)
      if (!isNew) await account.tellZone('UTC')
      const url = server.origin
      await context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }])
      if (tier !== 'free') await account.subscribe(tier)
      return account
    })
  },
})

export { expect }
