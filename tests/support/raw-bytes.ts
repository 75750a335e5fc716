import { get } from 'node:http'
import { connect, type Socket } from 'node:net'

export type Sent = { status: number; headers: Record<string, unknown>; body: Buffer }

/** The bytes as they are sent: fetch would decompress them. */
export function rawBytes(url: string, encodings: string, method = 'GET'): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': encodings }
    get(url, { method, headers, agent: false }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body })
    }).on('error', reject)
  })
}

/**
 * Sends these bytes and returns all that the server sends until it closes the connection. Each part after the first
 * goes when an answer to what was sent before has begun.
 */
export function rawAnswer(origin: string, bytes: string | Buffer | string[]): Promise<string> {
  const [first = '', ...more] = Array.isArray(bytes) ? bytes : [bytes]
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    let text = ''
    connect(Number(port), hostname, function (this: Socket) {
      this.write(first)
    })
      .setEncoding('utf8')
      .on('data', function (this: Socket, part: string) {
        text += part
        const next = more.shift()
        if (next !== undefined) this.write(next)
      })
      .once('close', () => resolve(text))
      .once('error', reject)
  })
}
