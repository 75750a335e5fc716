import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { limitPipelining } from '../../../src/server/http/queue/pipelining.ts'
import { listen } from '../../support/free-port.ts'
import { eventually } from '../../support/ledger.ts'

const MAX = 8

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

describe('a connection that sends requests ahead', () => {
  let stop: () => void
  afterEach(() => stop())

  async function connectTo(
    handle: RequestListener,
  ): Promise<{ client: Socket; answers: string[] }> {
    const server = createServer(limitPipelining(handle, { atOnceEach: MAX, waitingEach: 200 }))
    const client = connect(await listen(server), '127.0.0.1')
    stop = () => {
      client.destroy()
      server.close()
    }
    let text = ''
    const answers: string[] = []
    client.on('data', (bytes) => {
      text += bytes
      const parts = text.split('\r\n\r\n')
      answers.splice(
        0,
        answers.length,
        ...parts.slice(1).map((part) => part.split('HTTP/1.1')[0] ?? ''),
      )
    })
    await once(client, 'connect')
    return { client, answers }
  }

  test('has eight under way, and is answered in order', async () => {
    let underWay = 0
    let most = 0
    const { client, answers } = await connectTo(async (request, response) => {
      most = Math.max(most, ++underWay)
      await new Promise(setImmediate)
      underWay--
      response.end(request.url)
    })
    client.write(paths(5_000).map(get).join(''))
    await eventually(() => answers.at(-1) === '/4999')
    expect(answers).toEqual(paths(5_000))
    expect(most).toBe(MAX)
  })

  test('leaves time for others, however quick its answers are', async () => {
    let handled = 0
    const { client, answers } = await connectTo((request, response) => {
      handled++
      response.end(request.url)
    })
    client.write(paths(1_000).map(get).join(''))
    let most = 0
    while (answers.at(-1) !== '/999') {
      const before = handled
      await new Promise(setImmediate)
      most = Math.max(most, handled - before)
    }
    // The first ones start as they are read; two reads may come in one turn.
    expect(most).toBeLessThan(10 * MAX)
  })

  test('can send bodies too', async () => {
    const { client, answers } = await connectTo(async (request, response) => {
      response.end(Buffer.concat(await request.toArray()))
    })
    const bodies = paths(300).map((path) => path.repeat(100))
    client.write(bodies.map((body) => post('/', body)).join(''))
    await eventually(() => answers.at(-1) === bodies.at(-1))
    expect(answers).toEqual(bodies)
  })

  test('is not read while too many of its requests wait', async () => {
    const held: (() => void)[] = []
    let connection: Socket | undefined
    const { client, answers } = await connectTo((request, response) => {
      connection = request.socket
      held.push(() => response.end(request.url))
    })
    const sent = paths(20_000).map(get).join('')
    client.write(sent)
    await eventually(() => held.length === MAX)
    // An answer makes Node read on; we do not, while others wait.
    held.shift()?.()
    held.shift()?.()
    await eventually(() => answers.length === 2)
    expect(connection?.isPaused()).toBe(true)
    expect(connection?.bytesRead).toBeLessThan(sent.length / 2)
  })

  test('that is closed starts none of those that wait', async () => {
    const held: (() => void)[] = []
    let connection: Socket | undefined
    const { client } = await connectTo((request, response) => {
      connection = request.socket
      held.push(() => response.end())
    })
    client.write(paths(100).map(get).join(''))
    await eventually(() => held.length === MAX)
    client.destroy()
    await eventually(() => connection?.closed === true)
    for (const answer of held) answer()
    await new Promise(setImmediate)
    expect(held).toHaveLength(MAX)
  })
})
