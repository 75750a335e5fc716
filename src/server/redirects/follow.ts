import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { CommonHeaders } from '../http/policy/site-policy.ts'
import type { Target } from './target-cache.ts'

/** What a scan tells of its visitor. */
export type Visit = {
  method: string
  address: string
  peer: string | undefined
  headers: IncomingHttpHeaders
}

/** Records the scan; calls `answer` when the redirect may go out. */
export type Record = (codeId: string, visit: Visit, answer: () => void) => void

/** Sends a visitor to where a code leads. */
export type Follow = (target: Target, visit: Visit, response: ServerResponse) => void

const REDIRECT_HEADERS = { 'Cache-Control': 'no-store', 'Content-Length': '0' }

/** Written without the framework's reply: on this answer every microsecond counts. */
export function followWith(record: Record, common: CommonHeaders): Follow {
  const headers = Object.entries({ ...REDIRECT_HEADERS, ...common }).flat()
  return (target, visit, response) =>
    record(target.id, visit, () => {
      response.writeHead(302, [...headers, 'Location', target.url])
      response.end()
    })
}
