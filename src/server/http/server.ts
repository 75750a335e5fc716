import { randomBytes } from 'node:crypto'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Actor } from '../actor.ts'
import type { Config } from '../config.ts'
import { AppError, answerError } from './errors.ts'
import { refuseUnknown, takeJson } from './input/json-body.ts'
import { setPlainMessages } from './input/plain-issues.ts'
import { onConnection } from './limits/limits.ts'
import { trustedHops } from './policy/client-address.ts'
import { type CommonHeaders, commonHeaders } from './policy/site-policy.ts'
import { limitPipelining } from './queue/pipelining.ts'

const BODY_MAX_BYTES = 64 * 1024
/** Longest path parameter that reaches a handler */
const PARAMETER_MAX = 16 * 1024
const CLOSE_AGAIN_MS = 50
const ID_PREFIX_BYTES = 6

const REQUEST_MS = 30_000
/** For a connection without traffic, such as a client that stopped reading. */
const CONNECTION_MS = 120_000
const KEEP_ALIVE_MS = 72_000

type ServerDeps = {
  config: Config
  log: FastifyBaseLogger
  /** Takes some requests before the framework sees them; false leaves a request to it. */
  shortcut?: Shortcut
}

/** Sends an answer, or returns false and leaves the request to the routes. It never throws. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean

/** An HTTP server without routes that speaks Zod and answers errors in the contract's shape. */
export function createServer({ config, log, shortcut = () => false }: ServerDeps): FastifyInstance {
  const server = fastify({ ...httpOptions(config, shortcut), loggerInstance: log })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(answerError)
  setPlainMessages()
  // The API takes only JSON; Fastify would take plain text too.
  server.removeContentTypeParser(['text/plain', 'application/json'])
  takeJson(server)
  // `requireUser` sets it.
  server.decorateRequest('actor', null as unknown as Actor)
  server.decorateRequest('rateLimitKey', '')
  server.decorateRequest('readOnly', null, [])
  server.addHook('preValidation', refuseUnknown)
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

function httpOptions(config: Config, shortcut: Shortcut) {
  const headers = commonHeaders(config)
  return {
    trustProxy: trustedHops(config.trustProxy),
    genReqId: requestIds(),
    bodyLimit: BODY_MAX_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (handle: RequestListener) =>
      nodeServer((request, response) => {
        if (!shortcut(request, response)) handle(request, response)
      }, headers),
    routerOptions: { maxParamLength: PARAMETER_MAX },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadHttp(headers),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<Server>
}

/** Makes the ids of requests, for log and answer. The prefix keeps processes apart; an id that a client sends is not used. */
function requestIds(): () => string {
  const prefix = randomBytes(ID_PREFIX_BYTES).toString('base64url')
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}

/**
 * Slow senders are cut off. Node does that only with all three time-outs: the checking interval must
 * be well below the request's, and the headers' smaller than the request's.
 */
const nodeOptions: ServerOptions = {
  requestTimeout: REQUEST_MS,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Checked by `oneHost`, whose answer has our headers.
  requireHostHeader: false,
}

/** A server of node:http with the limits of ours. */
export function nodeServer(handle: RequestListener, headers: CommonHeaders): Server {
  const listener = limitPipelining(oneHost(handle, headers), onConnection.requests)
  const server = createHttpServer(nodeOptions, listener)
  // An expectation that we do not know is ignored (RFC 9110 §10.1.1); Node would answer it by itself.
  server.on('checkExpectation', listener)
  return server.setTimeout(CONNECTION_MS)
}

/**
 * Refuses a request that does not say which host it asks, or says it twice (RFC 9112 §3.2): a proxy
 * in front of us could read the one, and we the other.
 */
function oneHost(handle: RequestListener, headers: CommonHeaders): RequestListener {
  return (request, response) => {
    const isOne = hostsIn(request.rawHeaders) === 1 && request.headers.host !== ''
    if (isOne || (request.httpVersion === '1.0' && hostsIn(request.rawHeaders) === 0)) {
      return handle(request, response)
    }
    const body = JSON.stringify(new AppError('bad_request').body)
    response.writeHead(400, {
      ...headers(undefined),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    response.end(body)
  }
}

/** @param raw names and values by turns */
function hostsIn(raw: string[]): number {
  let hosts = 0
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.length === 4 && raw[at]?.toLowerCase() === 'host') hosts++
  }
  return hosts
}

/**
 * An address that cannot be decoded belongs to nothing of ours. It is answered like any other such
 * address, so its percent signs are taken as they stand.
 */
function answerBadAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error.code !== 'FST_ERR_BAD_URL') return answerError(error, request, reply)
  const { raw } = request
  raw.url = raw.url?.replace(/^[^?]*/, (path) => path.replaceAll('%', '%25'))
  request.server.routing(raw, reply.raw)
}

const badHttpStatus: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Bytes that are not HTTP, and a head that is too slow or too long, never become a request. */
export function answerBadHttp(headers: CommonHeaders) {
  const common = Object.entries(headers(undefined)).map(([name, value]) => `${name}: ${value}`)
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const status = badHttpStatus[error.code ?? ''] ?? 400
    const body = JSON.stringify(new AppError('bad_request').body)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...common,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy(error)
  }
}
