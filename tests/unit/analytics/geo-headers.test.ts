import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  openPlaces,
  type PlacesConfig,
} from '../../../src/server/analytics/record/places/places.ts'
import { newFolder } from '../../support/folder.ts'
import { writeMmdb } from '../../support/mmdb.ts'

const NOWHERE = { country: null, region: null, city: null }
const BERLIN = { country: 'DE', region: 'Berlin', city: 'Berlin' }
const EDGE = '203.0.113.9'
const VISITOR = '85.214.132.117'

let database: string
beforeAll(async () => {
  const record = { country_code: 'DE', state1: 'Berlin', city: 'Berlin' }
  database = writeMmdb(join(await newFolder(), 'city'), { '85.214.0.0/16': record })
})

/** A header as Node hands it on, which reads its bytes as Latin-1. */
const sent = (text: string) => Buffer.from(text).toString('latin1')

type Setting = Partial<PlacesConfig> & { peer?: string | null }

async function behind(headers: IncomingHttpHeaders, { peer = EDGE, ...config }: Setting = {}) {
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) })
  const { placeOf, placeKey } = await openPlaces(
    { geoipDatabases: [database], geoHeaders: 'cloudflare', trustProxy: 1, ...config },
    { log, clock: () => new Date() },
  )
  const visit = { method: 'GET', address: VISITOR, peer: peer ?? undefined, headers }
  return { place: placeOf(visit), key: placeKey(visit), warned }
}

const inMunich = { 'cf-ipcountry': 'DE', 'cf-region': 'Bavaria', 'cf-ipcity': 'Munich' }
const MUNICH = { country: 'DE', region: 'Bavaria', city: 'Munich' }

describe('the headers of', () => {
  /** The headers of a vendor for country, region and city, in this order */
  const names = {
    cloudflare: ['cf-ipcountry', 'cf-region', 'cf-ipcity'],
    cloudfront: ['country', 'country-region-name', 'city'].map((of) => `cloudfront-viewer-${of}`),
    fastly: ['client-geo-country', 'client-geo-region', 'client-geo-city'],
    vercel: ['country', 'country-region', 'city'].map((of) => `x-vercel-ip-${of}`),
    bunny: ['cdn-requestcountrycode', 'cdn-requeststatecode'],
  }
  test.each([
    ['cloudflare', ['CO', sent('Bogotá D.C.'), sent('Chía')], ['CO', 'Bogotá D.C.', 'Chía']],
    ['cloudfront', ['BR', 'S%C3%A3o Paulo', 'S%C3%A3o%20Paulo'], ['BR', 'São Paulo', 'São Paulo']],
    ['fastly', ['JP', '13', 'tokyo'], ['JP', '13', 'tokyo']],
    ['vercel', ['US', 'CA', 'San%20Francisco'], ['US', 'CA', 'San Francisco']],
    ['bunny', ['US', 'TX'], ['US', 'TX', null]],
  ] as const)('%s say where a visitor is', async (geoHeaders, values, found) => {
    const headers = Object.fromEntries(names[geoHeaders].map((name, at) => [name, values[at]]))
    const { place } = await behind(headers, { geoHeaders })
    expect([place.country, place.region, place.city]).toEqual(found)
  })

  test('another vendor count for nothing', async () => {
    expect((await behind(inMunich, { geoHeaders: 'fastly' })).place).toEqual(BERLIN)
  })
})

describe('forged headers', () => {
  test.each<[string, Setting]>([
    ['without GEO_HEADERS', { geoHeaders: undefined }],
    ['without TRUST_PROXY', { trustProxy: false }],
    ['with no hop trusted', { trustProxy: 0 }],
    ['from an address that is no proxy', { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
    [
      'from an IPv6 address that is no proxy',
      { trustProxy: ['203.0.113.0/24'], peer: '2001:db8::1' },
    ],
    ['from a closed connection', { trustProxy: ['203.0.113.0/24'], peer: null }],
  ])('count for nothing %s', async (_, setting) => {
    const { place, key } = await behind(inMunich, setting)
    expect(place).toEqual(BERLIN)
    expect(key).toBe('')
  })

  test.each([
    [['203.0.113.0/24'], EDGE],
    [['203.0.113.9'], `::ffff:${EDGE}`],
    [['10.0.0.1', '2001:db8::/32'], '2001:db8::7'],
  ])('are none through the proxies %o from %s', async (trustProxy, peer) => {
    const { place, key } = await behind(inMunich, { trustProxy, peer })
    expect(place).toEqual(MUNICH)
    expect(key).toBe('DE\nBavaria\nMunich')
  })

  test('are warned of where no proxy is trusted', async () => {
    const { warned } = await behind({}, { trustProxy: false })
    expect(warned.join()).toContain('GEO_HEADERS counts for nothing without TRUST_PROXY')
    expect((await behind({})).warned).toEqual([])
  })
})

describe('a country header', () => {
  test.each(['XX', 'T1', 't1'])('of %s says that the country is unknown', async (code) => {
    expect((await behind({ ...inMunich, 'cf-ipcountry': code })).place).toEqual(NOWHERE)
  })

  test.each([undefined, '', 'Germany', 'D', 'DE, FR', '**', '<script>', 'x'.repeat(16_000)])(
    'of %s leaves it to the database',
    async (code) => {
      expect((await behind({ ...inMunich, 'cf-ipcountry': code })).place).toEqual(BERLIN)
    },
  )

  test('alone has region and city of the database, if that names the same country', async () => {
    expect((await behind({ 'cf-ipcountry': 'de' })).place).toEqual(BERLIN)
    expect((await behind({ 'cf-ipcountry': 'FR' })).place).toEqual({ ...NOWHERE, country: 'FR' })
    expect((await behind({ 'cf-ipcountry': 'DE', 'cf-ipcity': 'Munich' })).place).toEqual({
      ...MUNICH,
      region: null,
    })
  })
})

test.each([
  ['x'.repeat(10_000), null],
  ['%', null],
  ['%ff', null],
  ['Ber%00lin', null],
  ['Ber%0d%0alin', null],
  ['%E2%80%AEnilreB', null],
  ['K\xf6ln', 'Köln'],
])('a city header of %s is the city %s', async (text, city) => {
  const { place } = await behind({ 'cf-ipcountry': 'DE', 'cf-region': 'x', 'cf-ipcity': text })
  expect(place).toEqual({ country: 'DE', region: 'x', city })
})

test('whatever headers hold, there is a place', async () => {
  const { placeOf, placeKey } = await openPlaces(
    { geoipDatabases: [database], geoHeaders: 'cloudflare', trustProxy: 1 },
    { log: pino({ level: 'silent' }), clock: () => new Date() },
  )
  const bytes = fc.uint8Array().map((array) => Buffer.from(array).toString('latin1'))
  const text = fc.option(fc.oneof(bytes, fc.constantFrom('DE', '%C3%A9')))
  const headers = fc.record({ 'cf-ipcountry': text, 'cf-region': text, 'cf-ipcity': text })
  fc.assert(
    fc.property(headers, (values) => {
      const visit = { method: 'GET', address: VISITOR, peer: EDGE, headers: values as never }
      expect(placeKey(visit)).toBeTypeOf('string')
      const { region, city } = placeOf(visit)
      for (const name of [region, city]) expect((name ?? 'x').length).toBeLessThanOrEqual(100)
    }),
  )
})
