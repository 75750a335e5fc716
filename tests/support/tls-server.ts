import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { forBlock } from './for-block.ts'
import { listen } from './free-port.ts'

/** TLS without certificates: whom it reaches is not what these tests are about. */
export const tls = {
  ciphers: 'AECDH-AES256-SHA:@SECLEVEL=0',
  maxVersion: 'TLSv1.2',
  rejectUnauthorized: false,
} as const

/** Runs a server on this machine for the tests of a block. */
export const runTlsServer = (answer: RequestListener) =>
  forBlock(async () => {
    const server = createServer(tls, answer)
    const origin = `https://localhost:${await listen(server)}`
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    return { origin, stop }
  })
