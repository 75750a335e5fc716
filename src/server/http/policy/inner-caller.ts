import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { isInside } from '../limits/memory-counts.ts'

/** The account and the program for which this server asks its own routes. */
export type InnerCaller = {
  userId: string
  apiKey: NonNullable<FastifyRequest['apiKey']>
  proof: FastifyRequest['proof']
}

const callers = new AsyncLocalStorage<InnerCaller>()

/**
 * Asks this server's own routes (Fastify's `inject`) for a program that has proved who it is. Who asks is known
 * in this process alone: no header says it, so no client can.
 */
export const askFor = <T>(caller: InnerCaller, ask: () => Promise<T>): Promise<T> =>
  // `inject` asks when it is awaited.
  callers.run(caller, async () => await ask())

/** The program for which this server asks itself; undefined for requests from outside. */
export const innerCallerOf = (request: FastifyRequest): InnerCaller | undefined =>
  isInside(request) ? callers.getStore() : undefined
