import { get } from 'node:http'

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
