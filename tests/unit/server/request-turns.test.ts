import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify, { type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answerError } from '../../../src/server/http/errors.ts'
import { FairQueue } from '../../../src/server/http/queue/fair-queue.ts'
import { queueByAccount, queueByAddress } from '../../../src/server/http/queue/request-queue.ts'
import { eventually } from '../../support/ledger.ts'

const LARGE = Buffer.alloc(32 * 1024 * 1024)

let server: ReturnType<typeof fastify>
/** Requests that are being answered, each with its path and a way to let it end. */
let held: { path: string; end: () => void }[]
const clients: Socket[] = []
beforeEach(() => {
  held = []
  server = fastify({ forceCloseConnections: true })
  server.setErrorHandler(answerError)
})
afterEach(async () => {
  for (const { end } of held) end()
  for (const client of clients.splice(0)) client.destroy()
  await server.close()
})

async function hold({ url }: FastifyRequest): Promise<string> {
  await new Promise<void>((end) => held.push({ path: url, end }))
  return 'held'
}

const port = () => (server.server.address() as AddressInfo).port
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

async function send(bytes: string): Promise<Socket> {
  const client = connect(port(), '127.0.0.1').on('error', () => {})
  clients.push(client)
  await once(client, 'connect')
  client.write(bytes)
  return client
}

describe('the turns of an address', () => {
  let turns: FairQueue
  beforeEach(async () => {
    turns = new FairQueue({ atOnce: 9, atOnceEach: 1, waiting: 9, waitingEach: 1 })
    queueByAddress(server, turns)
    server.get('/held', hold)
    server.get('/large', async () => LARGE)
    server.get('/quick', async () => 'quick')
    server.post('/body', async () => 'body')
    await server.listen({ port: 0, host: '127.0.0.1' })
  })

  const ask = (path: string) => fetch(`http://127.0.0.1:${port()}${path}`)

  test('end with the answer, and not when a slow reader has read it', async () => {
    const slow = await send(get('/large'))
    await once(slow, 'readable')
    expect(await (await ask('/quick')).text()).toBe('quick')
  })

  test('end with a refusal and with an unknown address too', async () => {
    expect((await ask('/nothing')).status).toBe(404)
    expect((await ask('/body')).status).toBe(404)
    expect(turns.underWay).toBe(0)
  })

  test('end when the client hangs up before its body has come', async () => {
    const slow = await send(
      'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    )
    await eventually(() => turns.underWay === 1)
    slow.destroy()
    await eventually(() => turns.underWay === 0)
  })

  test('are given up by those who hang up while they wait', async () => {
    await send(get('/held'))
    await eventually(() => held.length === 1)
    const waiting = await send(get('/held'))
    await eventually(() => turns.waiting === 1)
    waiting.destroy()
    await eventually(() => turns.waiting === 0)
    held[0]?.end()
    await eventually(() => turns.underWay === 0)
    expect(held).toHaveLength(1)
  })

  test('are refused to an address for which too many wait', async () => {
    await send(get('/held').repeat(2))
    await eventually(() => turns.waiting === 1)
    const refused = await ask('/quick')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
  })
})

describe('the turns of an account', () => {
  let turns: FairQueue
  beforeEach(async () => {
    turns = new FairQueue({ atOnce: 2, atOnceEach: 1, waiting: 9, waitingEach: 2 })
    const inTurn = queueByAccount(turns)
    server.decorateRequest('rateLimitKey', '')
    server.get('/:who', (request: FastifyRequest) => {
      request.rateLimitKey = request.url
      return inTurn(request, () => hold(request))
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
  })

  test('come one at a time for each account, two at a time in all', async () => {
    for (const who of ['/eve', '/eve', '/ada', '/bob']) await send(get(who))
    await eventually(() => turns.waiting === 2)
    expect(held.map(({ path }) => path).sort()).toEqual(['/ada', '/eve'])
    held.find(({ path }) => path === '/ada')?.end()
    await eventually(() => held.length === 3)
    expect(held[2]?.path).toBe('/bob')
  })

  test('are given up by those who hang up while they wait', async () => {
    await send(get('/eve'))
    await eventually(() => held.length === 1)
    const second = await send(get('/eve'))
    await eventually(() => turns.waiting === 1)
    const depth = turns.metrics('lists', 'Lists').map(({ name, value }) => [name, value])
    expect(depth).toContainEqual(['tessera_lists_waiting', 1])
    second.destroy()
    await eventually(() => turns.waiting === 0)
    held[0]?.end()
    await eventually(() => turns.underWay === 0)
    expect(held).toHaveLength(1)
  })
})
