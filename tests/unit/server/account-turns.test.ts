import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify, { type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answerError } from '../../../src/server/http/errors.ts'
import { FairQueue } from '../../../src/server/http/queue/fair-queue.ts'
import { queueByAccount } from '../../../src/server/http/queue/request-queue.ts'
import { eventually } from '../../support/ledger.ts'

describe('lists', () => {
  let server: ReturnType<typeof fastify>
  let turns: FairQueue
  /** The accounts that have a turn, and how to end it. */
  let begun: { who: string; end: () => void }[]
  const clients: Socket[] = []
  beforeEach(async () => {
    begun = []
    turns = new FairQueue({ atOnce: 2, atOnceEach: 1, waiting: 9, waitingEach: 2 })
    const inTurn = queueByAccount(turns)
    server = fastify({ forceCloseConnections: true })
    server.setErrorHandler(answerError)
    server.decorateRequest('rateLimitKey', '')
    server.get('/list/:who', (request: FastifyRequest) => {
      const { who } = request.params as { who: string }
      request.rateLimitKey = who
      return inTurn(request, async () => {
        await new Promise<void>((resolve) => begun.push({ who, end: resolve }))
        return 'a list'
      })
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    for (const { end } of begun) end()
    for (const client of clients.splice(0)) client.destroy()
    await server.close()
  })

  async function ask(who: string): Promise<Socket> {
    const { port } = server.server.address() as AddressInfo
    const client = connect(port, '127.0.0.1').on('error', () => {})
    clients.push(client)
    await once(client, 'connect')
    client.write(`GET /list/${who} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return client
  }

  test('are made one at a time for each account, two at a time in all', async () => {
    for (const who of ['eve', 'eve', 'ada', 'bob']) await ask(who)
    await eventually(() => turns.waiting === 2)
    expect(begun.map(({ who }) => who).sort()).toEqual(['ada', 'eve'])
    begun.find(({ who }) => who === 'ada')?.end()
    await eventually(() => begun.length === 3)
    expect(begun[2]?.who).toBe('bob')
  })

  test('are dropped if their client has hung up', async () => {
    await ask('eve')
    await eventually(() => begun.length === 1)
    const second = await ask('eve')
    const depth = () => turns.metrics('lists', 'Lists').map(({ name, value }) => [name, value])
    await eventually(() => turns.waiting === 1)
    expect(depth()).toContainEqual(['tessera_lists_waiting', 1])
    second.destroy()
    await eventually(() => turns.waiting === 0)
    begun[0]?.end()
    await eventually(() => turns.underWay === 0)
    expect(begun).toHaveLength(1)
  })
})
