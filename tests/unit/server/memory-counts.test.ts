import type { FastifyRequest } from 'fastify'
import { describe, test } from 'vitest'
import { rateLimit } from '../../../src/server/http/limits/memory-counts.ts'

const LIMIT = { max: 3, windowMs: 60_000 }

const from = (rateLimitKey: string) => ({ rateLimitKey }) as FastifyRequest

describe('a count in memory', () => {
  test('begins again when the time is over, also for one who never pauses', async () => {
    const hook = rateLimit({ ...LIMIT, windowMs: 1 }, (request) => request.rateLimitKey)
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
