import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { rateLimit } from '../../../src/server/http/limits/memory-counts.ts'

const LIMIT = { max: 3, windowMs: 60_000 }

const from = (userId: string) => ({ userId }) as FastifyRequest

describe('a count in memory', () => {
  test('refuses the one who asks too often, and says when to ask again', async () => {
    const hook = rateLimit(LIMIT, ({ userId }) => userId)
    for (let call = 0; call < LIMIT.max; call++) await hook(from('eve'))
    const refusal = await hook(from('eve')).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'rate_limited' })
    expect(refusal.retryAfter).toBeGreaterThan(0)
    expect(refusal.retryAfter).toBeLessThanOrEqual(60)
    await hook(from('ada'))
  })

  test('begins again when the time is over, also for one who never pauses', async () => {
    const hook = rateLimit({ ...LIMIT, windowMs: 1 }, ({ userId }) => userId)
    let isRefused = false
    for (;;) {
      const isTooMany = await hook(from('eve')).then(
        () => false,
        () => true,
      )
      if (isRefused && !isTooMany) return
      isRefused ||= isTooMany
      await new Promise(setImmediate)
    }
  })
})
