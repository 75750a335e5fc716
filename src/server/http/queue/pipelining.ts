import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Most that are under way at once, and most that wait before nothing more is read. */
export type PipelineBounds = { atOnceEach: number; waitingEach: number }

type Exchange = { request: IncomingMessage; response: ServerResponse }

/**
 * HTTP/1.1 lets a client send requests before their answers have come (RFC 9112 §9.3.2), and Node
 * starts all of them at once: a thousand in one packet. Here only `atOnceEach` of a connection are
 * under way, and the others wait in order, as their answers do anyway. While more than `waitingEach`
 * wait, nothing is read from the connection, which bounds them: one read gives 64 kB of requests. We
 * read on until then, because a hang-up is read too.
 */
export function limitPipelining(handle: RequestListener, limits: PipelineBounds): RequestListener {
  const lines = new WeakMap<Socket, Line>()
  return (request, response) => {
    // Node gives the connection to the first response in line, which is hardly ever another one.
    if (response.socket) return handle(request, response)
    const { socket } = request
    let line = lines.get(socket)
    if (!line) {
      line = new Line(socket, handle, limits)
      lines.set(socket, line)
    }
    line.add({ request, response })
  }
}

/**
 * The requests of one connection behind the first, which was there before its line was. Where one
 * waits, as many as may be are under way, and the end of each starts the next.
 */
class Line {
  readonly #socket: Socket
  readonly #handle: RequestListener
  readonly #limits: PipelineBounds
  readonly #waiting: Exchange[] = []
  #underWay = 0

  constructor(socket: Socket, handle: RequestListener, limits: PipelineBounds) {
    this.#socket = socket
    this.#handle = handle
    this.#limits = limits
    // Node resumes a connection on its own: when a request has been read, and when an answer is sent.
    socket.on('resume', () => this.#pause())
  }

  add(exchange: Exchange) {
    if (this.#underWay < this.#limits.atOnceEach - 1) return this.#start(exchange)
    this.#waiting.push(exchange)
    this.#pause()
  }

  get #isFull(): boolean {
    return this.#waiting.length > this.#limits.waitingEach
  }

  #pause() {
    if (this.#isFull) this.#socket.pause()
  }

  #start({ request, response }: Exchange) {
    this.#underWay++
    // In the next turn of the event loop: quick answers, such as refusals, would start one another
    // until the line is empty, and other callers would wait.
    response.once('close', () => setImmediate(() => this.#startNext()))
    this.#handle(request, response)
  }

  #startNext() {
    this.#underWay--
    if (this.#socket.destroyed) return
    const wasFull = this.#isFull
    const next = this.#waiting.shift()
    if (wasFull && !this.#isFull) this.#socket.resume()
    if (next) this.#start(next)
  }
}
