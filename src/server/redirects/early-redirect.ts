import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Target } from '../codes/types.ts'
import type { Config } from '../config.ts'
import { nameAsked } from './decide.ts'
import { type ScanDeps, scanAnswerer } from './redirect.ts'

type EarlyRedirectDeps = ScanDeps & {
  /** Where a name leads, by the columns that the tables have already. It throws if the database is not there yet, or busy. */
  resolve: (key: string) => Promise<Target | undefined>
}

/**
 * The redirect on SQLite before the service is ready: there a reader waits for no writer, so a printed
 * link leads on while a migration runs. It returns false for all that a working code of this host does
 * not answer.
 */
export function earlyRedirect({ resolve, ...deps }: EarlyRedirectDeps) {
  const answerScan = scanAnswerer(deps)
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || !isOurs(headers.host, deps.config)) return false
    const asked = nameAsked(undefined, url)
    const target = asked?.key && (await resolve(asked.key))
    return target ? answerScan(target, asked, response).kind === 'url' : false
  }
}

/** Whether a host is this server's, and can be no customer's: a name there may lead elsewhere. */
function isOurs(host: string | undefined, { publicUrl }: Config): boolean {
  const asked = URL.parse(`http://${host}`)?.hostname ?? ''
  if (asked === '') return false
  const isInside = isIP(asked.replace(/^\[|\]$/g, '')) > 0 || !asked.includes('.')
  return isInside || asked === new URL(publicUrl).hostname
}
