import type { IncomingHttpHeaders } from 'node:http'

/** What a request tells of its visitor. */
export type Visit = {
  method: string
  /** The visitor's, behind the proxies that we trust */
  address: string
  /** The address of the connection: the last proxy's, or the visitor's own */
  peer?: string | undefined
  headers: IncomingHttpHeaders
}
