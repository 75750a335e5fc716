import { IncomingMessage } from 'node:http'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { answerError } from '../../../src/server/http/errors.ts'
import { type CountLimit, memoryLimits, queues } from '../../../src/server/http/limits/limits.ts'
import { applySitePolicy, securityHeaders } from '../../../src/server/http/policy/site-policy.ts'
import { FairQueue } from '../../../src/server/http/queue/fair-queue.ts'
import { eventually } from '../../support/ledger.ts'

function policyWith(environment: Record<string, string>) {
  const { directives } = securityHeaders(readConfig(environment), []).contentSecurityPolicy
  return directives as Record<string, string[] | undefined>
}

describe('Stripe’s hosts', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_WEBHOOK_SECRET: 'whsec_none',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_none',
  }

  test('may be reached where its form is part of our page', () => {
    const policy = policyWith({ ...keys, CHECKOUT: 'embedded' })
    const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
    expect(policy.scriptSrc).toEqual(expect.arrayContaining(["'self'", ...scripts]))
    expect(policy.frameSrc).toEqual([...scripts, 'https://hooks.stripe.com'])
    expect(policy.connectSrc).toEqual(["'self'", 'https://api.stripe.com'])
    expect(policy.defaultSrc).toEqual(["'self'"])
  })

  test.each([
    ['payments are made on a page of Stripe’s', { ...keys, CHECKOUT: 'hosted' }],
    ['payments are tests', { BILLING: 'sandbox', CHECKOUT: 'embedded' }],
    ['payments are off', { BILLING: 'off' }],
  ])('are out of reach where %s', (_case, environment) => {
    const policy = policyWith(environment)
    expect(Object.values(policy).flat().join(' ')).not.toContain('stripe')
    expect(policy.scriptSrc).toContain("'self'")
  })
})

test('a request beyond its limit is refused in its turn, so that refusals do not delay other callers either', async () => {
  const limit: CountLimit = memoryLimits['address-reads']
  const { max } = limit
  limit.max = 20
  onTestFinished(() => void Object.assign(limit, { max }))
  const server = fastify()
  const queue = new FairQueue({ ...queues.site, startsPerTurn: Number.POSITIVE_INFINITY })
  server.setErrorHandler(answerError)
  await applySitePolicy(server, { config: readConfig({}), scripts: [], queue })
  server.get('/', async () => 'page')
  // As from a socket: what the server asks itself is not counted.
  const ask = () => server.inject({ url: '/', Request: IncomingMessage })
  for (let sent = 0; sent < limit.max; sent++) await ask()
  const held = Array.from({ length: queues.site.atOnceEach }, () => queue.begin('127.0.0.1'))
  const ends = await Promise.all(held)
  const refused = ask()
  await eventually(() => queue.waiting === 1)
  for (const end of ends) end()
  expect((await refused).statusCode).toBe(429)
  await server.close()
})
