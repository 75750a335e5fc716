import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Auth } from '../../../src/server/accounts/auth.ts'
import { requireUser } from '../../../src/server/accounts/session.ts'
import { countedHere } from '../../../src/server/http/limits.ts'

/** Knows everybody by their cookie. */
const auth = {
  api: {
    getSession: async ({ headers }: { headers: Headers }) => ({
      response: {
        user: { id: headers.get('cookie') },
        session: { id: 'session', token: 'token', createdAt: new Date() },
      },
    }),
  },
} as unknown as Auth

test('an account is refused beyond its requests of a minute, and no other account is', async () => {
  const hook = requireUser(auth, { reading: async () => undefined })
  const reply = { header: () => reply } as unknown as FastifyReply
  const from = (cookie: string) => {
    const socket = { remoteAddress: '192.0.2.7' }
    return { headers: { cookie }, ip: '192.0.2.7', socket } as unknown as FastifyRequest
  }
  for (let sent = 0; sent < countedHere['account-reads'].max; sent++) await hook(from('eve'), reply)
  await expect(hook(from('eve'), reply)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: expect.any(Number),
  })
  await hook(from('ada'), reply)
})
