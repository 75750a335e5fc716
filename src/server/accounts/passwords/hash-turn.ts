import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../../http/client-address.ts'
import { hungUp } from '../../http/hung-up.ts'
import { endSiteTurn } from '../../http/site-turns.ts'
import type { Hashing } from './hashing.ts'

/** What costs a hash waits for its turn. Everything that can be refused without one comes before. */
export async function inHashTurn<T>(
  hashing: Hashing,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  endSiteTurn(request)
  const endTurn = await hashing.turnOf(clientAddress(request), hungUp(request))
  return work().finally(endTurn)
}
