import { createServer, request, type Server } from 'node:http'

/** A proxy in front of a service that adds an API key to each request, for programs that cannot send one. */
export async function startKeyProxy(
  port: number,
  { origin, key }: { origin: string; key: string },
): Promise<{ stop: () => Promise<unknown> }> {
  const target = new URL(origin)
  const server: Server = createServer((from, answer) => {
    const headers = { ...from.headers, authorization: `Bearer ${key}` }
    const asked = { host: target.hostname, port: target.port, path: from.url, method: from.method }
    const to = request({ ...asked, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    to.on('error', () => answer.destroy())
    from.pipe(to)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
