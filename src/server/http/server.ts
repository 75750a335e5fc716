import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { AppError, answerError } from './errors.ts'

const BODY_MAX_BYTES = 64 * 1024
/** Longest path parameter that reaches a handler. The redirect's handler has a page for longer names. */
const PARAMETER_MAX = 16 * 1024
const CLOSE_AGAIN_MS = 50

type ServerDeps = { config: Config; log: FastifyBaseLogger; unknownCodePage: string }

/** An HTTP server without routes that speaks Zod and answers errors in the contract's shape. */
export function createServer({ config, log, unknownCodePage }: ServerDeps): FastifyInstance {
  const server = fastify({ ...httpOptions(config, unknownCodePage), loggerInstance: log })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(answerError)
  // The API takes only JSON; Fastify would take plain text too.
  server.removeContentTypeParser('text/plain')
  server.decorateRequest('userId', '')
  server.addHook('preClose', async () => closeIdleConnections(server))
  return server
}

/**
 * Fastify closes the connections that are idle when a stop begins. One that answers a redirect at
 * that moment, such as a proxy's, is kept alive after it and would delay the stop by a minute.
 */
function closeIdleConnections({ server }: FastifyInstance) {
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_AGAIN_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * Slow senders are cut off. Fastify does that only with all three time-outs: the checking interval
 * must be well below the request's, and the headers' smaller than the request's.
 */
function httpOptions(config: Config, unknownCodePage: string) {
  return {
    trustProxy: trusted(config.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 30_000,
    // For a connection without traffic, such as a client that stopped reading.
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

/** An address that cannot be decoded. Under /qr/ it is answered like a code that does not exist. */
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

/** Bytes that are not HTTP, and a head that is too slow or too long, never become a request. */
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

/** A number trusts that many proxies before us; a list trusts those addresses. */
function trusted(setting: Config['trustProxy']) {
  if (typeof setting !== 'number') return setting
  return (_address: string, hop: number) => hop < setting
}
