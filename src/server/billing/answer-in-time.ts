import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../http/errors.ts'

/** Proxies wait 60 s. */
const ROW_MS = 40_000

/**
 * Bounds all calls to the provider that a request makes: it is answered with payments_unavailable before a
 * proxy gives up. The calls go on, and asking again repeats none of them.
 */
export function answerInTime(app: FastifyInstance, ms: number = ROW_MS): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function answer(request, reply) {
      const end = new AbortController()
      const late = setTimeout(ms, undefined, { signal: end.signal }).then(() => {
        throw new AppError('payments_unavailable')
      })
      const answer = Promise.resolve(handler.call(this, request, reply))
      return Promise.race([answer, late]).finally(() => end.abort())
    }
  })
}
