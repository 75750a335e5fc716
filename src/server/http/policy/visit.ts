import type { IncomingHttpHeaders } from 'node:http'

/** The parts of a request that describe its visitor. */
export type Visit = {
  method: string
  /** The visitor's, behind the proxies that we trust */
  address: string
  /** The address of the connection: the last proxy's, or the visitor's own */
  peer?: string | undefined
  headers: IncomingHttpHeaders
}
