import type { FastifyRequest } from 'fastify'
import { hungUp } from './hung-up.ts'
import { endSiteTurn } from './site-turns.ts'
import type { Turns } from './turns.ts'

/**
 * Does a request's work when its account's turn comes; not at all where the client has hung up.
 * @throws AppError as `Turns.run`
 */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/** For routes behind `requireUser`. Who waits for a list holds up nobody else at the same address. */
export function byAccount(turns: Turns): InTurn {
  return (request, work) => {
    endSiteTurn(request)
    return turns.run(request.countedAs, work, hungUp(request))
  }
}
