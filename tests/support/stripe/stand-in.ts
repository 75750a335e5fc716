import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../free-port.ts'
import { Books } from './books.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { readForm } from './form.ts'
import { Idempotency, type Reply } from './idempotency.ts'
import { API_VERSION, Life } from './life.ts'
import { StripeRefusal } from './refusals.ts'
import { type Upset, Upsets } from './upsets.ts'

/** A request to the stand-in, and the status of its answer: 0 for no answer. */
export type Call = {
  method: string
  path: string
  query: string
  status: number
  message?: string
}

/** Stripe as far as Tessera uses it, on 127.0.0.1: it checks each request, keeps state, sends events. */
export type StandIn = {
  origin: string
  secretKey: string
  books: Books
  life: Life
  upsets: Upsets
  calls: Call[]
  /** Called with the request before it is carried out. */
  onRequest: (request: string) => void
  /** Requests that Stripe refused as wrong, except those that a test made wrong. */
  mistakes: () => Call[]
  stop: () => Promise<void>
}

/** Refusals because of the state of an object, not because of a mistake in the request. */
const STATE_MATTERS =
  /No such|Only open sessions|only pass in open|in-progress|is inactive|combine currencies|managed by the|cannot release|location isn’t|be redeemed|went wrong at Stripe/

export async function startStandIn(secretKey = 'sk_test_standin'): Promise<StandIn> {
  const books = new Books()
  books.isLive = secretKey.startsWith('sk_live_')
  const calls: Call[] = []
  const idempotency = new Idempotency()
  const standIn: StandIn = {
    origin: '',
    secretKey,
    books,
    life: new Life(books),
    upsets: new Upsets(),
    calls,
    onRequest: () => {},
    mistakes: () =>
      calls.filter(
        ({ status, message = '' }) =>
          status >= 400 && status < 500 && status !== 429 && !STATE_MATTERS.test(message),
      ),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    answer(standIn, idempotency, request, response).catch(() => response.destroy())
  })
  standIn.origin = `http://127.0.0.1:${await listen(server)}`
  return standIn
}

async function answer(
  standIn: StandIn,
  idempotency: Idempotency,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  const [path = '', query = ''] = url.split('?')
  const body = await text(request)
  const call: Call = { method, path, query, status: 0 }
  standIn.calls.push(call)
  standIn.onRequest(`${method} ${path}`)
  const upset = standIn.upsets.next(`${method} ${url}`)
  if (upset?.kind === 'hang') return
  if (upset?.kind === 'reset' && !upset.done) return void request.socket.resetAndDestroy()
  if (upset?.kind === 'status') return send(response, call, failed(upset), retryHeader(upset))

  const key = method === 'POST' ? header(request, 'idempotency-key') : undefined
  const asked = { path, query, body, key }
  const { reply, isDone, isReplayed } = carryOut(standIn, idempotency, request, asked)
  if (upset?.kind === 'lag') await upset.until()
  if (key && isDone) idempotency.end(key, reply)
  if (upset?.kind === 'reset') return void request.socket.resetAndDestroy()
  send(response, call, reply, isReplayed ? { 'idempotent-replayed': 'true' } : {})
}

type Asked = { path: string; query: string; body: string; key: string | undefined }

/** `isDone` if the request was carried out now: its answer is stored under its key. */
type Outcome = { reply: Reply; isDone: boolean; isReplayed: boolean }

function carryOut(
  standIn: StandIn,
  idempotency: Idempotency,
  request: IncomingMessage,
  { path, query, body, key }: Asked,
): Outcome {
  try {
    checkHeaders(standIn, request)
    const fingerprint = `${request.method} ${path} ${body}`
    const before = key && idempotency.recall(key, fingerprint)
    if (before) return { reply: before, isDone: false, isReplayed: true }
    const { endpoint, id } = find(request.method ?? '', path)
    const params = checked(endpoint, readForm(request.method === 'POST' ? body : query || body))
    if (key) idempotency.begin(key, fingerprint)
    const reply = done(() => endpoint.answer(standIn.books, params, id))
    return { reply, isDone: true, isReplayed: false }
  } catch (error) {
    return { reply: refused(error), isDone: false, isReplayed: false }
  }
}

function done(work: () => unknown): Reply {
  try {
    return { status: 200, body: structuredClone(work()) }
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): Reply {
  if (!(error instanceof StripeRefusal)) throw error
  return { status: error.status, body: { error: error.fault } }
}

function checkHeaders({ secretKey }: StandIn, request: IncomingMessage) {
  const refuse = (status: number, message: string): never => {
    throw new StripeRefusal(status, { message })
  }
  const key = header(request, 'authorization')
  if (key !== `Bearer ${secretKey}`) {
    refuse(401, `Invalid API Key provided: ${key?.slice(7, 15)}****`)
  }
  if (header(request, 'stripe-version') !== API_VERSION) refuse(400, 'Another Stripe-Version')
  if (header(request, 'x-stripe-client-telemetry')) refuse(400, 'Telemetry was sent')
  const isForm = header(request, 'content-type') === 'application/x-www-form-urlencoded'
  if (request.method === 'POST' && !isForm) refuse(400, 'A form was expected')
}

function find(method: string, path: string): { endpoint: Endpoint; id: string } {
  for (const endpoint of endpoints) {
    const pattern = `^${endpoint.route.replace(':id', '(?<id>\\w+)')}$`
    const match = new RegExp(pattern).exec(`${method} ${path}`)
    if (match) return { endpoint, id: match.groups?.id ?? '' }
  }
  throw new StripeRefusal(404, { message: `Unrecognized request URL (${method}: ${path}).` })
}

function checked({ takes }: Endpoint, form: unknown): never {
  const parsed = takes.safeParse(form)
  if (parsed.success) return parsed.data as never
  const [issue] = parsed.error.issues
  const message = `${issue?.path.join('.')}: ${issue?.message}`
  throw new StripeRefusal(400, {
    code: 'parameter_invalid',
    message,
    param: String(issue?.path[0]),
  })
}

function failed({ status }: { status: number }): Reply {
  const type = status < 500 ? 'invalid_request_error' : 'api_error'
  // As in a real error of a payment, which must not be logged as it is.
  const payment_intent = { id: 'pi_in_1', client_secret: 'pi_in_1_secret_of_a_payment' }
  const error = { type, message: 'Something went wrong at Stripe.', payment_intent }
  return { status, body: { error } }
}

function retryHeader({ retry }: Extract<Upset, { kind: 'status' }>): Record<string, string> {
  return retry === undefined ? {} : { 'stripe-should-retry': String(retry) }
}

function send(response: ServerResponse, call: Call, reply: Reply, headers: Record<string, string>) {
  call.status = reply.status
  const fault = (reply.body as { error?: { message: string } }).error
  if (fault) call.message = fault.message
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'request-id': `req_${call.path.length}${Date.now()}`,
    'stripe-version': API_VERSION,
    ...headers,
  })
  response.end(JSON.stringify(reply.body))
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join() : value
}
