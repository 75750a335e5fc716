import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Nobody reads the answer any more. It is no fault of ours, so it is not logged as one. */
class HungUp extends Error {
  override name = 'HungUp'
  readonly statusCode = 400
}

/** One for all requests of a connection: a client may send hundreds on one without waiting. */
const signals = new WeakMap<Socket, AbortSignal>()

/**
 * Aborted when the request's client hangs up, so that what waits for its turn can be dropped. It lives
 * as long as the connection: remove the listener once the request is answered.
 */
export function hungUp({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): AbortSignal {
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
