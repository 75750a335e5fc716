import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  type FastifyHttpOptions,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { AppError, answerError } from './errors.ts'

const BODY_MAX_BYTES = 64 * 1024
/** Longest path parameter that reaches a handler; ours answers what is too long with its own page. */
const PARAMETER_MAX = 16 * 1024

/**
 * Slow senders are cut off: Fastify closes a slow body only with all three of the time-outs, the
 * interval well below the request's and the headers' smaller than it.
 */
export function httpOptions(config: Config, unknownCodePage: string) {
  return {
    trustProxy: trusted(config.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 30_000,
    // A connection on which nothing moves, such as a reader who stopped reading.
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    http: { connectionsCheckingInterval: 5_000, headersTimeout: 15_000 },
    routerOptions: { maxParamLength: PARAMETER_MAX },
    frameworkErrors: answerBadAddress(unknownCodePage),
    clientErrorHandler: answerBadHttp,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<Server>
}

/** An address that cannot be decoded: to the visitor of a short link, a code that does not exist. */
function answerBadAddress(unknownCodePage: string) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (!/^\/qr\//i.test(request.url)) return answerError(error, request, reply)
    return reply
      .code(404)
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(unknownCodePage)
  }
}

const badHttpStatus: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** What is no HTTP, or a head too slow or too long, never becomes a request. */
function answerBadHttp(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = badHttpStatus[error.code ?? ''] ?? 400
  const body = JSON.stringify(new AppError('bad_request').body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

/** A hop count trusts that many proxies before us; a list trusts those addresses. */
function trusted(setting: Config['trustProxy']) {
  if (typeof setting !== 'number') return setting
  return (_address: string, hop: number) => hop < setting
}
