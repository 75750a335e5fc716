import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { checkOrigin } from '../../../src/server/http/policy/site-policy.ts'

const check = checkOrigin('https://qr.example.com')
const from = (origin: string, host: string) =>
  check({
    method: 'POST',
    headers: { origin, host },
    routeOptions: { config: {} },
  } as FastifyRequest)

test('a page of this server’s name that came without TLS changes nothing', async () => {
  for (const host of ['qr.example.com', 'other.example.com']) {
    await expect(from(`http://${host}`, host)).rejects.toMatchObject({ code: 'forbidden' })
    await from(`https://${host}`, host)
  }
})
