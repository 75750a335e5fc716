import { createServer } from 'node:http'

/** The reference: a server that only sends the answer that our redirect sends. */
const [port, location = ''] = process.argv.slice(2)
const headers = { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }

createServer((_request, response) => {
  response.writeHead(302, headers)
  response.end()
}).listen(Number(port), '127.0.0.1')
