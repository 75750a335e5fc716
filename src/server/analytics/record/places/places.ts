import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Config } from '../../../config.ts'
import { trustOf } from '../../../http/policy/client-address.ts'
import type { Visit } from '../visit.ts'
import { openDatabases } from './databases.ts'
import { placeFrom, textsIn } from './headers.ts'
import type { Place } from './names.ts'

export type PlacesConfig = Pick<Config, 'geoipDatabases' | 'geoHeaders' | 'trustProxy'>

export type Places = {
  /** Where a visitor is. Never throws. */
  placeOf: (visit: Visit) => Place
  /** What decides the place beside the address, as a text: to cache by. */
  placeKey: (visit: Visit) => string
}

/** Places from a CDN's headers, if they came through a trusted proxy, and from databases. */
export async function openPlaces(
  { geoipDatabases, geoHeaders, trustProxy }: PlacesConfig,
  deps: { log: FastifyBaseLogger; clock: Clock },
): Promise<Places> {
  const find = await openDatabases(geoipDatabases, deps)
  if (!geoHeaders) return { placeOf: ({ address }) => find(address), placeKey: () => '' }

  const isTrusted = trustOf(trustProxy)
  if (!trustProxy) deps.log.warn('GEO_HEADERS counts for nothing without TRUST_PROXY')
  const texts = ({ peer, headers }: Visit) =>
    isTrusted(peer) ? textsIn(geoHeaders, headers) : undefined
  return {
    placeKey: (visit) => texts(visit)?.join('\n') ?? '',
    placeOf: (visit) => {
      const sent = texts(visit)
      const told = sent && placeFrom(sent)
      const found = find(visit.address)
      return told ? finer(told, found) : found
    },
  }
}

/** The CDN's word counts. If it names only the country, the database may know where in it. */
function finer(told: Place, found: Place): Place {
  const isCountryOnly = !told.region && !told.city
  return isCountryOnly && told.country === found.country ? found : told
}
