import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../policy/client-address.ts'
import type { FairQueue } from './fair-queue.ts'

/** The client hung up: not an error of the server, so it is not logged as one. */
class HungUp extends Error {
  override name = 'HungUp'
  readonly statusCode = 400
}

/** One for all requests of a connection: a client may send hundreds on one without waiting. */
const signals = new WeakMap<Socket, AbortSignal>()

/**
 * Aborted when the request's client hangs up, so that work that waits can be dropped. It lives as long
 * as the connection: remove the listener once the request is answered.
 */
export function hangUpSignal({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): AbortSignal {
  const known = signals.get(socket)
  if (known) return known
  const call = new AbortController()
  const hangUp = () => call.abort(new HungUp('The client hung up'))
  // A request that is queued behind others on its connection has no event of its own for this.
  if (socket.destroyed) hangUp()
  else socket.once('close', hangUp)
  signals.set(socket, call.signal)
  return call.signal
}

const ends = new WeakMap<object, () => void>()

/**
 * Every request of the site takes a turn by its client's address. The turn ends when the answer is
 * known, and not when a slow reader has read it; or when the client hangs up.
 */
export function queueByAddress(site: FastifyInstance, queue: FairQueue) {
  site.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const end = await queue.begin(clientAddress(request), hangUpSignal(request))
    ends.set(request, end)
    reply.raw.once('close', end)
  })
  site.addHook('onSend', async (request: FastifyRequest) => leaveSiteQueue(request))
}

/**
 * Ends a request's turn of its address before its answer is known: it goes on to wait for a thread,
 * which has a queue of its own. Colleagues at one address do not wait for each other's passwords.
 */
export function leaveSiteQueue(request: object) {
  ends.get(request)?.()
}

/**
 * Takes a turn that ends with the answer, of the account if nothing else is said. Returns whose turn it is, and the
 * signal of a client that hangs up.
 * @throws AppError as `FairQueue.begin`
 */
export async function queueUntilAnswered(
  queue: FairQueue,
  request: FastifyRequest,
  reply: FastifyReply,
  owner = request.rateLimitKey,
) {
  leaveSiteQueue(request)
  const signal = hangUpSignal(request)
  reply.raw.once('close', await queue.begin(owner, signal))
  return { owner, signal }
}

/**
 * Does a request's work when its account's turn comes, and not at all if the client has hung up.
 * @throws AppError as `FairQueue.run`
 */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/** For routes behind `requireUser`. A request that waits for a list delays no other at the same address. */
export function queueByAccount(queue: FairQueue): InTurn {
  return (request, work) => {
    leaveSiteQueue(request)
    return queue.run(request.rateLimitKey, work, hangUpSignal(request))
  }
}
