import type { ImportField, ImportFormat } from '#contract/imports.ts'

/** A column's name as names are compared: letters and digits only. */
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The names that a format has for each field. Of several columns the first one that is not empty counts. */
type Reading = Readonly<Record<ImportField, readonly string[]>>

const SHEET: Reading = {
  name: ['name', 'title', 'label', 'qrcode', 'qrcodename', 'codename'],
  url: [
    ...['destination', 'destinationurl', 'url', 'longurl', 'originalurl', 'targeturl', 'target'],
    ...['linkto', 'leadsto', 'link', 'address', 'website', 'webaddress'],
  ],
  vanityUrl: [
    ...['customurl', 'custompath', 'vanityurl', 'vanity', 'path', 'slug', 'customlink', 'alias'],
    ...['shortcode', 'backhalf', 'keyword'],
  ],
  tags: ['tags', 'tag', 'labels'],
}

const readings: Record<ImportFormat, Reading> = {
  sheet: SHEET,
  // The list's CSV file, and links.csv of 'Take my links with me'.
  tessera: {
    name: ['name', 'title'],
    url: ['destination'],
    vanityUrl: ['customurl', 'shortlink'],
    tags: ['tags'],
  },
  // The export of links in its list (Bitlink, Long URL …, or Link, Custom Link, Destination URL), and the
  // words of its API: https://dev.bitly.com/api-reference#getBitlinksByGroup
  bitly: {
    name: ['title', 'name'],
    url: ['longurl', 'destinationurl', 'originalurl', 'destination'],
    vanityUrl: [
      ...['customlink', 'custombitlink', 'custombitlinks', 'backhalf', 'custombackhalf'],
      ...['bitlink', 'shortlink', 'shorturl', 'link', 'id'],
    ],
    tags: ['tags'],
  },
  // The list's export in its web client, and the file that its importer reads:
  // https://shlink.io/documentation/advanced/import-short-urls/
  shlink: { name: ['title'], url: ['longurl'], vanityUrl: ['shortcode'], tags: ['tags'] },
  // https://docs.kutt.it, GET /links; the same names as in its table
  kutt: { name: ['description'], url: ['target'], vanityUrl: ['address'], tags: ['tags'] },
  // The plugin Import Export: keyword, url, title, timestamp, ip, clicks
  yourls: { name: ['title'], url: ['url'], vanityUrl: ['keyword'], tags: ['tags'] },
}

/** The columns that tell a format, in the order in which they are tried */
const signs: readonly [ImportFormat, (has: (...keys: string[]) => boolean) => boolean][] = [
  ['tessera', (has) => has('shortlink') && has('destination')],
  ['shlink', (has) => has('shortcode') && has('longurl')],
  ['yourls', (has) => has('keyword') && has('url')],
  ['kutt', (has) => has('address') && has('target')],
  [
    'bitly',
    (has) =>
      has('longurl', 'destinationurl') &&
      has('bitlink', 'link', 'customlink', 'custombitlinks', 'custombackhalf', 'shortlink'),
  ],
]

export function formatOf(header: readonly string[]): ImportFormat {
  const keys = new Set(header.map(keyOf))
  const has = (...some: string[]) => some.some((key) => keys.has(key))
  return signs.find(([, isIt]) => isIt(has))?.[0] ?? 'sheet'
}

/** Which columns have each field, the first choice first. */
export type Columns = Readonly<Record<ImportField, readonly number[]>>

export function columnsOf(header: readonly string[], format: ImportFormat): Columns {
  const keys = header.map(keyOf)
  const places = (field: ImportField) =>
    readings[format][field].flatMap((name) => {
      const at = keys.indexOf(name)
      return at === -1 ? [] : [at]
    })
  const url = places('url')
  return {
    name: places('name'),
    // A second column of links is the short one.
    url: url.slice(0, 1),
    vanityUrl: places('vanityUrl').filter((at) => at !== url[0]),
    tags: places('tags'),
  }
}

/** The field that a column is read as, if there is one. */
export function fieldOf(columns: Columns, at: number): ImportField | null {
  const fields = Object.keys(columns) as ImportField[]
  return fields.find((field) => columns[field].includes(at)) ?? null
}
