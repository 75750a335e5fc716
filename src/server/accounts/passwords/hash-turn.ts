import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../../http/policy/client-address.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import type { Hashing } from './hashing.ts'

/** What costs a hash waits for its turn. Everything that can be refused without one comes before. */
export async function inHashTurn<T>(
  hashing: Hashing,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  leaveSiteQueue(request)
  const endTurn = await hashing.turnOf(clientAddress(request), hangUpSignal(request))
  return work().finally(endTurn)
}
