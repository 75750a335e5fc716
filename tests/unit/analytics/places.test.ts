import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { countryOf, nameOf, placeIn } from '../../../src/server/analytics/record/places/place.ts'
import {
  openPlaces,
  type PlacesConfig,
} from '../../../src/server/analytics/record/places/places.ts'
import { newFolder } from '../../support/folder.ts'
import { writeMmdb } from '../../support/mmdb.ts'

const GERMAN_ADDRESS = '85.214.132.117'
const NOWHERE = { country: null, region: null, city: null }
const BERLIN = { country: 'DE', region: 'Berlin', city: 'Berlin' }
const MUNICH = { country: 'DE', region: 'Bavaria', city: 'Munich' }

const nested = {
  country: { iso_code: 'DE', names: { de: 'Deutschland', en: 'Germany' } },
  subdivisions: [{ iso_code: 'BY', names: { de: 'Bayern', en: 'Bavaria' } }],
  city: { names: { de: 'München', en: 'Munich' } },
  location: { time_zone: 'Europe/Berlin' },
}
const flat = { country_code: 'DE', state1: 'Berlin', city: 'Berlin', timezone: 'Europe/Berlin' }

/** Pino's number of the level. */
const WARN = 40

type Line = { level: number; msg: string; file?: string; type?: string; days?: number }
let folder: string
let lines: Line[]
beforeEach(async () => {
  folder = await newFolder()
  lines = []
})

const warnings = () => lines.filter(({ level }) => level >= WARN)

async function places(config: Partial<PlacesConfig>) {
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  return openPlaces(
    { geoipDatabases: [], geoHeaders: undefined, trustProxy: false, ...config },
    { log, clock: () => new Date('2026-06-27T12:00:00Z') },
  )
}

async function findIn(...geoipDatabases: string[]) {
  const { placeOf } = await places({ geoipDatabases })
  return (address: string) => placeOf({ method: 'GET', address, headers: {} })
}

test('without a setting, the packaged database knows countries', async () => {
  const find = await findIn()
  for (const address of [
    GERMAN_ADDRESS,
    `::ffff:${GERMAN_ADDRESS}`,
    '::FFFF:55d6:8475',
    '2a01:4f8::1',
  ]) {
    expect(find(address)).toEqual({ ...NOWHERE, country: 'DE' })
  }
  const none = ['', 'no address', `${GERMAN_ADDRESS}:4711`, "'; drop table scans; --"]
  for (const address of none) expect(find(address)).toEqual(NOWHERE)
  // Databases have the owners of such blocks (RFC 6890).
  const notPublic = ['10.1.2.3', '192.168.1.5', '172.17.0.1', '203.0.113.9', '2001:db8::1', '::1']
  for (const address of notPublic) expect(find(address), address).toEqual(NOWHERE)
  expect(warnings()).toEqual([])
})

test('the start says which databases are read, and how old they are', async () => {
  const built = new Date('2026-06-17T10:00:00Z')
  const file = writeMmdb(join(folder, 'city.mmdb'), {}, { built, type: 'GeoLite2-City' })
  await findIn(file)
  expect(lines).toMatchObject([
    { file, type: 'GeoLite2-City', days: 10, msg: 'place database read, 10 days old' },
  ])
})

test.each([
  ['of countries', { country: { iso_code: 'DE' }, city: { names: { en: 'Regional' } } }, false],
  ['of MaxMind', nested, true],
  ['that is flat', flat, true],
  ['of IPinfo', { country: 'DE', region: 'Bavaria' }, true],
])('a database %s says whether it has regions', async (_, record, expected) => {
  const file = writeMmdb(join(folder, 'places.mmdb'), { '85.214.0.0/16': record })
  expect((await places({ geoipDatabases: [file] })).hasRegions).toBe(expected)
  expect((await places({})).hasRegions).toBe(false)
  expect((await places({ geoHeaders: 'cloudflare', trustProxy: 1 })).hasRegions).toBe(true)
})

describe('a record', () => {
  test.each([
    ['of MaxMind', nested, MUNICH],
    ['that is flat', flat, BERLIN],
    ['of IPinfo', { country: 'DE', region: 'Bavaria', city: 'Munich' }, MUNICH],
    ['of IPinfo Lite', { country: 'Germany', country_code: 'DE' }, { ...NOWHERE, country: 'DE' }],
    ['in one other language', { ...nested, city: { names: { fr: 'Munich' } } }, MUNICH],
    ['without names', { ...nested, city: {}, subdivisions: [] }, { ...NOWHERE, country: 'DE' }],
    ['of no country', { country_code: 'ZZ', city: '-', state1: 'Unknown' }, NOWHERE],
    ['that is none', null, NOWHERE],
  ])('%s gives country, region and city', (_, record, place) => {
    expect(placeIn(record)).toEqual(place)
  })

  test('whatever it holds gives a place', () => {
    const field = fc.oneof(fc.anything(), fc.string())
    const keys = ['country', 'country_code', 'subdivisions', 'state1', 'region', 'city']
    const record = fc.record(Object.fromEntries(keys.map((key) => [key, field])))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), record), (value) => {
        const { country, region, city } = placeIn(value)
        expect(country ?? 'DE').toMatch(/^[A-Z]{2}$/)
        for (const name of [region, city]) expect((name ?? 'x').length).toBeLessThanOrEqual(100)
      }),
    )
  })
})

test.each([
  ['IPv4 first', ['v4', 'v6']],
  ['IPv6 first', ['v6', 'v4']],
])('two databases know their own addresses, %s', async (_, order) => {
  const file = (name: string) => join(folder, name)
  // The first 32 bits of the IPv6 address are those of 42.1.4.248.
  const v4 = { '85.214.0.0/16': flat, '42.1.0.0/16': { ...flat, country_code: 'CN' } }
  writeMmdb(file('v4'), v4, { ipVersion: 4 })
  writeMmdb(file('v6'), { '2a01:4f8::/32': nested })
  const find = await findIn(...order.map(file))
  expect(find(GERMAN_ADDRESS)).toEqual(BERLIN)
  expect(find('2a01:4f8::1')).toEqual(MUNICH)
  expect(find('2001:db8::1')).toEqual(NOWHERE)
})

test('one database of both families knows both', async () => {
  const networks = { '85.214.0.0/16': flat, '2a01:4f8::/32': nested }
  const find = await findIn(writeMmdb(join(folder, 'both'), networks))
  expect([find(GERMAN_ADDRESS), find('2a01:4f8::1')]).toEqual([BERLIN, MUNICH])
})

describe('a database that cannot be read', () => {
  const fine = () => writeMmdb(join(folder, 'fine'), { '85.214.0.0/16': flat })

  test.each([
    ['is missing', () => {}],
    ['is a folder', () => newFolder()],
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is something else', (file: string) => writeFileSync(file, 'country,city\n'.repeat(1_000))],
    [
      'is cut',
      (file: string) => {
        writeMmdb(file, { '85.214.0.0/16': nested })
        truncateSync(file, 400)
      },
    ],
  ])('because it %s is told once, and the other one is read', async (_, make) => {
    const file = join(folder, 'broken')
    const other = await make(file)
    const find = await findIn(other ?? file, fine())
    expect(find(GERMAN_ADDRESS)).toEqual(BERLIN)
    expect(find('9.9.9.1')).toEqual(NOWHERE)
    expect(warnings()).toMatchObject([{ file: other ?? file }])
  })

  test('in one record is told once, and its other records are read', async () => {
    const file = join(folder, 'damaged')
    writeMmdb(file, { '9.9.9.0/24': nested, '85.214.0.0/16': flat })
    const bytes = readFileSync(file)
    // No type has this number.
    bytes.writeUInt16BE(0, bytes.indexOf('iso_code') - 1)
    writeFileSync(file, bytes)
    const find = await findIn(file)
    for (let n = 1; n <= 3; n++) expect(find(`9.9.9.${n}`)).toEqual(NOWHERE)
    expect(find(GERMAN_ADDRESS)).toEqual(BERLIN)
    expect(warnings()).toMatchObject([{ file, msg: expect.stringContaining('cannot be read') }])
  })
})

describe('a name', () => {
  test.each([
    ['São Paulo', 'São Paulo'],
    [' 東京都 ', '東京都'],
    ['3', '3'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), null],
    ['', null],
    ['?', null],
    ['NO REGION', null],
    ['Ber\nlin', null],
    ['Ber\0lin', null],
    ['Ber\u202elin', null],
    ['Ber\ud800lin', null],
    [7, null],
    [['Berlin'], null],
  ])('%o is kept as %o', (value, kept) => {
    expect(nameOf(value)).toBe(kept)
  })

  test.each<[unknown, string | null]>([
    ['DE', 'DE'],
    ['de', 'DE'],
    ['XK', 'XK'],
    ...['XX', 'T1', 'ZZ', 'EU', 'UK', 'AP', 'D', 'DEU', '**', 'DE, FR', '', null, 276].map(
      (value): [unknown, null] => [value, null],
    ),
  ])('%o is the country %o', (value, country) => {
    expect(countryOf(value)).toBe(country)
  })

  test('of every country is known to the reports', () => {
    const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const codes = letters.flatMap((first) => letters.map((second) => first + second))
    const countries = codes.filter(countryOf)
    expect(countries).toHaveLength(250)
    expect(countries.filter((code) => !english.of(code))).toEqual([])
  })
})
