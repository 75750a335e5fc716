import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { addressFinder, addressOf } from '../../../src/server/http/policy/client-address.ts'
import { createServer } from '../../../src/server/http/server.ts'

const settings = [undefined, '1', '2', '127.0.0.1', '127.0.0.0/8,192.0.2.0/24', '::1,127.0.0.1']

const servers = settings.map((setting) => {
  const config = readConfig(setting ? { TRUST_PROXY: setting } : {})
  const find = addressFinder(config.trustProxy)
  const found: string[] = []
  const server = createServer({
    config,
    log: pino({ level: 'silent' }),
    shortcut: (request) => {
      found.push(find(request))
      return false
    },
  })
  server.get('/', async (request) => addressOf(request))
  return { server, found }
})

beforeAll(() => Promise.all(servers.map(({ server }) => server.listen({ port: 0 }))))
afterAll(() => Promise.all(servers.map(({ server }) => server.close())))

const part = fc.oneof(
  fc.constantFrom(
    '127.0.0.1',
    '192.0.2.7',
    'unknown',
    '',
    '_hidden',
    '198.51.100.1:443',
    '[::1]:80',
  ),
  fc.ipV4(),
  fc.ipV6(),
)

test('the shortcut of the redirect finds the same address as the framework', async () => {
  const chains = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(', '))
  await fc.assert(
    fc.asyncProperty(chains, async (chain) => {
      for (const { server, found } of servers) {
        const { port } = server.server.address() as AddressInfo
        const headers = { 'x-forwarded-for': chain }
        const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
        expect(found.at(-1)).toBe(await answer.text())
      }
    }),
    { numRuns: 60 },
  )
})
