import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from './client-address.ts'
import { hungUp } from './hung-up.ts'
import type { Turns } from './turns.ts'

const ends = new WeakMap<FastifyRequest, () => void>()

/**
 * Ends a request's turn of its address before its answer is known: it goes on to wait for a thread,
 * which has a queue of its own. Colleagues at one address do not wait for each other's passwords.
 */
export function endSiteTurn(request: FastifyRequest) {
  ends.get(request)?.()
}

/**
 * Every request of the site takes a turn by its client's address. The turn ends when the answer is
 * known, and not when a slow reader has read it; or when the client hangs up.
 */
export function takeTurns(site: FastifyInstance, turns: Turns) {
  site.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const end = await turns.begin(clientAddress(request), hungUp(request))
    ends.set(request, end)
    reply.raw.once('close', end)
  })
  site.addHook('onSend', async (request: FastifyRequest) => endSiteTurn(request))
}
