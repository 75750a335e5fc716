import type { Server } from 'node:http'
import { type FastifyHttpOptions, LogController } from 'fastify'
import type { Config } from './config.ts'
import { answerError } from './errors.ts'

const BODY_MAX_BYTES = 64 * 1024
/** Longest path parameter that reaches a handler; ours answers what is too long with its own page. */
const PARAMETER_MAX = 16 * 1024

/**
 * Slow senders are cut off: Fastify closes a slow body only with all three of the time-outs, the
 * interval well below the request's and the headers' smaller than it.
 */
export function httpOptions(config: Config) {
  return {
    trustProxy: trusted(config.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 15_000 },
    routerOptions: { maxParamLength: PARAMETER_MAX },
    frameworkErrors: answerError,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<Server>
}

/** A hop count trusts that many proxies before us; a list trusts those addresses. */
function trusted(setting: Config['trustProxy']) {
  if (typeof setting !== 'number') return setting
  return (_address: string, hop: number) => hop < setting
}
