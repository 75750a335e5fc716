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

/** Sends these bytes and returns all that the server sends until it closes the connection. */
export function rawAnswer(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    let text = ''
    connect(Number(port), hostname, function (this: Socket) {
      this.write(bytes)
    })
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part
      })
      .once('close', () => resolve(text))
      .once('error', reject)
  })
}
