import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '../config.ts'
import { AppError } from './errors.ts'
import { errorPage, isPageView, PAGE_HEADERS } from './plain-page.ts'
import { type CommonHeaders, commonHeaders } from './policy/site-policy.ts'
import { answerBadHttp, nodeServer } from './server.ts'

const RETRY_AFTER_SECONDS = 5
/** The errors of a host that this machine cannot listen on */
const NOT_OURS = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']

/** Sends an answer before the service is ready, or returns false. */
export type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/**
 * Listens while the service gets ready: it is alive and not ready, and asks everyone to try again. The
 * service takes its socket over, so that no connection is refused in between.
 */
export class WaitingServer {
  readonly #config: Config
  readonly #headers: CommonHeaders
  readonly #server: Server
  #early: EarlyAnswer = async () => false
  #ready: Server | undefined

  private constructor(config: Config) {
    this.#config = config
    this.#headers = commonHeaders(config)
    this.#server = nodeServer((...exchange) => this.#answer(...exchange), this.#headers)
    this.#server.on('clientError', answerBadHttp(this.#headers))
  }

  /** @throws ConfigError if the port is in use or the host is not this machine's */
  static async listen(config: Config): Promise<WaitingServer> {
    const waiting = new WaitingServer(config)
    const { port, host } = config
    waiting.#server.listen({ port, host })
    await once(waiting.#server, 'listening').catch((error) => {
      if (error.code === 'EADDRINUSE') {
        throw new ConfigError(
          `PORT is ${port}, which is in use: end the other program, or set another`,
        )
      }
      if (!NOT_OURS.includes(error.code)) throw error
      throw new ConfigError(`HOST is ${host}, which is not an address of this machine`)
    })
    return waiting
  }

  /** Lets these requests be answered already. */
  answerEarly(early: EarlyAnswer) {
    this.#early = early
  }

  /**
   * Lets `app` listen on the same handle, as Node's `server.listen(handle)` does. The handle is `app`'s
   * from then on: this server is never closed. Connections that it has already still bring requests.
   */
  async handOver(app: FastifyInstance): Promise<void> {
    const { port, host } = this.#config
    const { _handle: handle } = this.#server as unknown as { _handle: object }
    const options = { port, host, handle }
    await app.listen(options)
    this.#ready = app.server
  }

  readonly #answer: RequestListener = async (request, response) => {
    // The next request comes by a connection of its own, which may be the ready server's.
    response.shouldKeepAlive = false
    if (this.#ready) return this.#ready.emit('request', request, response)
    const isAnswered = await this.#early(request, response).catch(() => false)
    if (!isAnswered) this.#sayWhetherAlive(request, response)
  }

  #sayWhetherAlive(request: IncomingMessage, response: ServerResponse) {
    const isAlive = /^\/healthz(\?|$)/.test(request.url ?? '')
    if (isAlive) return this.#send(response, 200, { status: 'ok' })
    const unavailable = new AppError('unavailable')
    response.setHeader('retry-after', RETRY_AFTER_SECONDS)
    if (!isPageView(request)) return this.#send(response, unavailable.status, unavailable.body)
    const headers = this.#headers(request.headers.host)
    response.writeHead(unavailable.status, { ...headers, ...PAGE_HEADERS })
    response.end(errorPage(unavailable))
  }

  #send(response: ServerResponse, status: number, body: object) {
    const headers = this.#headers(response.req.headers.host)
    const type = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(status, { ...headers, ...type })
    response.end(JSON.stringify(body))
  }
}
