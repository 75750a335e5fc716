import type { FastifyRequest } from 'fastify'
import { hungUp } from './hung-up.ts'
import type { Turns } from './turns.ts'

/**
 * Does a request's work when its account's turn comes; not at all where the client has hung up.
 * @throws AppError as `Turns.run`
 */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/** For routes behind `requireUser`. */
export function byAccount(turns: Turns): InTurn {
  return (request, work) => turns.run(request.userId, work, hungUp(request))
}
