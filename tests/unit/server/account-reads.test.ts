import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { requireUser } from '../../../src/server/accounts/sessions/require-user.ts'
import type { Sessions } from '../../../src/server/accounts/sessions/sessions.ts'
import type { PersonId } from '../../../src/server/database/ids.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { transact } from '../../../src/server/database/transact.ts'
import { AppError } from '../../../src/server/http/errors.ts'
import { memoryLimits } from '../../../src/server/http/limits/limits.ts'
import { addWorkspace } from '../../../src/server/memberships.ts'
import { databaseForBlock } from '../../support/test-database.ts'

/** Finds an account by its cookie, but not a visitor of the live demo. */
const sessions = {
  current: async ({ headers: { cookie } }: FastifyRequest) =>
    cookie === 'demo' ? null : { id: 'session', userId: cookie },
} as unknown as Sessions

const reply = { header: () => reply } as unknown as FastifyReply
const from = (cookie: string, ip = '192.0.2.7') =>
  ({
    method: 'GET',
    routeOptions: { url: '/api/qr-codes' },
    params: {},
    query: {},
    headers: { cookie },
    ip,
    socket: { remoteAddress: ip },
  }) as unknown as FastifyRequest
const { max } = memoryLimits['account-reads']
const database = databaseForBlock('sqlite')
const hookOf = (shown?: string) =>
  requireUser({
    db: database.db,
    sessions,
    demo: { reading: async () => shown as PersonId | undefined },
    callerOf: () => Promise.reject(new AppError('key_invalid')),
    entitlementsOf: () => Promise.reject(new Error('not asked')),
  })
beforeAll(async () => {
  await migrate(database)
  for (const ownerId of ['eve', 'ada', 'account of the demo'] as PersonId[]) {
    await transact(database.db, (tx) => addWorkspace(tx, { ownerId, isOwn: true }, new Date(0)))
  }
})
const refused = { code: 'rate_limited', retryAfter: expect.any(Number) }

test('an account is refused beyond its requests of a minute, and no other account is', async () => {
  const hook = hookOf()
  for (let sent = 0; sent < max; sent++) await hook(from('eve'), reply)
  await expect(hook(from('eve'), reply)).rejects.toMatchObject(refused)
  await hook(from('ada'), reply)
})

test('an address that looks at the live demo uses up no other’s requests and turns', async () => {
  const hook = hookOf('account of the demo')
  for (let sent = 0; sent < max; sent++) await hook(from('demo'), reply)
  await expect(hook(from('demo'), reply)).rejects.toMatchObject(refused)
  const elsewhere = from('demo', '192.0.2.8')
  await hook(elsewhere, reply)
  expect([elsewhere.actor.personId, elsewhere.rateLimitKey]).toEqual([
    'account of the demo',
    '192.0.2.8',
  ])
})
