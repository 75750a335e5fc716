import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Reader } from 'maxmind'
import { DAY_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { Config } from '../../../config.ts'
import { trustOf, unmapped } from '../../../http/policy/client-address.ts'
import { isPublicAddress } from '../../../http/public-network.ts'
import type { Visit } from '../../types.ts'
import { NOWHERE, type Place, placeFrom, placeIn, regionKeys, textsIn } from './place.ts'

type Deps = { log: FastifyBaseLogger; clock: Clock }

export type PlacesConfig = Pick<Config, 'geoipDatabases' | 'geoHeaders' | 'trustProxy'>

export type Places = {
  /** Where a visitor is. Never throws. */
  placeOf: (visit: Visit) => Place
  /** A cache key: all that decides the place beside the address, as a text. */
  placeKey: (visit: Visit) => string
}

/** Places from a CDN's headers, if they came through a trusted proxy, and from databases. */
export async function openPlaces(
  { geoipDatabases, geoHeaders, trustProxy }: PlacesConfig,
  deps: Deps,
): Promise<Places & { /** Whether visitors may have regions */ hasRegions: boolean }> {
  const { find, hasRegions } = await openDatabases(geoipDatabases, deps)
  if (!geoHeaders) {
    return { placeOf: ({ address }) => find(address), placeKey: () => '', hasRegions }
  }

  const isTrusted = trustOf(trustProxy)
  if (!trustProxy) deps.log.warn('GEO_HEADERS counts for nothing without TRUST_PROXY')
  const texts = ({ peer, headers }: Visit) =>
    isTrusted(peer) ? textsIn(geoHeaders, headers) : undefined
  return {
    hasRegions: true,
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

/** Finds an address in one database; null if that does not have it. */
type Find = (address: string) => Place | null

const PACKAGED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/**
 * Reads databases in MaxMind's format, by default the packaged one, which knows only countries. The
 * first of them that has an address says where it is: one that is not public is nowhere, since databases
 * name the owner of its block. A place that cannot be read is logged once, and
 * then unknown: a scan never fails for it.
 */
async function openDatabases(files: string[], deps: Deps) {
  const paths = files.length > 0 ? files : [createRequire(import.meta.url).resolve(PACKAGED)]
  const opened = await Promise.all(paths.map((file) => openOne(file, deps)))
  const databases = opened.filter((database) => database !== undefined)
  function findPlace(text: string): Place {
    const address = unmapped(text)
    if (!isPublicAddress(address)) return NOWHERE
    for (const { find } of databases) {
      const place = find(address)
      if (place) return place
    }
    return NOWHERE
  }
  return { find: findPlace, hasRegions: databases.some(({ hasRegions }) => hasRegions) }
}

/** Records that are kept decoded */
const RECORDS_KEPT = 10_000

async function openOne(file: string, { log, clock }: Deps) {
  try {
    const bytes = await readFile(file)
    const reader = new Reader<never>(bytes, { cache: new LRUCache({ max: RECORDS_KEPT }) })
    const { databaseType: type, buildEpoch: built } = reader.metadata
    const days = Math.floor((clock().getTime() - built.getTime()) / DAY_MS)
    log.info({ file, type, built, days }, `place database read, ${days} days old`)
    const find = finder(reader, (error) => {
      log.warn({ err: error, file }, 'place database has records that cannot be read')
    })
    return { find, hasRegions: regionKeys.some((key) => bytes.includes(key)) }
  } catch (error) {
    log.warn({ err: error, file }, 'place database not read, its places are unknown')
    return undefined
  }
}

/** @param onFault called for the first record that cannot be read */
function finder(reader: Reader<never>, onFault: (error: unknown) => void): Find {
  // A tree of IPv4 addresses would answer for the first 32 bits of an IPv6 address.
  const families = reader.metadata.ipVersion === 4 ? [4] : [4, 6]
  let isTold = false
  return (address) => {
    if (!families.includes(isIP(address))) return null
    try {
      const place = placeIn(reader.get(address))
      return place.country || place.city ? place : null
    } catch (error) {
      if (!isTold) onFault(error)
      isTold = true
      return null
    }
  }
}
