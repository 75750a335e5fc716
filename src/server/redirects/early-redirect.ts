import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { utmOf } from '#contract/analytics/utm.ts'
import type { Clock } from '../clock.ts'
import type { Target } from '../codes/types.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/schema.ts'
import { addressFinder } from '../http/policy/client-address.ts'
import { commonHeaders } from '../http/policy/site-policy.ts'
import { targetWith } from './passed-query.ts'
import { PLAIN, type RecordScan, redirectSender, stateOf } from './redirect.ts'

type EarlyRedirectDeps = { config: Config; lookups: Db; clock: Clock; record: RecordScan }

/**
 * The redirect on SQLite before the service is ready: there a reader waits for no writer, so a printed
 * link leads on while a migration runs. It returns false for all that a working code of this host does
 * not answer.
 */
export function earlyRedirect({ config, lookups, clock, record }: EarlyRedirectDeps) {
  const addressOf = addressFinder(config.trustProxy)
  const send = redirectSender(record, commonHeaders(config))
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { method, url = '', headers, socket } = request
    const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
    const name = method === 'GET' && isOurs(headers.host, config) && PLAIN.exec(path)?.[1]
    const target = name && (await findTarget(lookups, name.toLowerCase()))
    if (!target || stateOf(target, clock) !== 'works') return false
    send(
      targetWith(target, query),
      { method, address: addressOf(request), peer: socket.remoteAddress, headers },
      response,
    )
    return true
  }
}

/** Whether a host is this server's, and can be no customer's: a name there may lead elsewhere. */
function isOurs(host: string | undefined, { publicUrl }: Config): boolean {
  const asked = URL.parse(`http://${host}`)?.hostname ?? ''
  if (asked === '') return false
  const isInside = isIP(asked.replace(/^\[|\]$/g, '')) > 0 || !asked.includes('.')
  return isInside || asked === new URL(publicUrl).hostname
}

/** Reads the columns that the tables have already; undefined if it cannot. */
async function findTarget(db: Db, key: string): Promise<Target | undefined> {
  try {
    const row = await db
      .selectFrom('paths')
      .innerJoin('codes', 'codes.id', 'paths.code_id')
      .selectAll('codes')
      .where('paths.key', '=', key)
      .where('codes.saved_at', 'is not', null)
      .where('codes.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) return undefined
    const { id, url, paused_at, expires_at, pass_query } = row
    const isPaused = paused_at !== null
    const passQuery = pass_query === 1
    return { key, id, url, utm: utmOf(url), paused: isPaused, expiresAt: expires_at, passQuery }
  } catch {
    // The database is not there yet, or it is busy: the caller asks the visitor to try again.
    return undefined
  }
}
