import { type ImportField, type ImportFormat, importFields } from '#contract/imports.ts'

/** A column's name as names are compared: letters and digits only. */
export const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The names that a format has for each field. Of several columns the first one that is not empty counts. */
type Reading = Readonly<Partial<Record<ImportField, readonly string[]>>>

/** Fields whose columns are called the same in most exports */
const USUAL = {
  tags: ['tags'],
  createdAt: ['createdat', 'created', 'datecreated', 'creationdate', 'createdon', 'createdtime'],
  // All of them count.
  status: [
    ...['status', 'archived', 'isarchived', 'disabled', 'paused', 'ispaused', 'banned'],
    ...['active', 'isactive', 'enabled'],
  ],
  endsAt: [
    ...['expiresat', 'expires', 'expirationdate', 'expirydate', 'expiry'],
    ...['enddate', 'validuntil'],
  ],
  externalId: ['externalid'],
} satisfies Reading
/** Short links as other services call them: their ends become custom URLs. */
const SHORT_LINKS = ['shortlink', 'shorturl', 'link', 'bitlink', 'qrcodeurl']

const SHEET: Reading = {
  name: ['name', 'title', 'label', 'qrcode', 'qrcodename', 'codename'],
  url: [
    ...['destination', 'destinationurl', 'url', 'longurl', 'originalurl', 'targeturl', 'target'],
    ...['linkto', 'leadsto', 'link', 'address', 'website', 'webaddress'],
  ],
  vanityUrl: [
    ...['customurl', 'custompath', 'vanityurl', 'vanity', 'path', 'slug', 'customlink', 'alias'],
    ...['shortcode', 'backhalf', 'keyword', 'slashtag', 'key', 'shortlink', 'shorturl'],
    'qrcodeurl',
  ],
  tags: ['tags', 'tag', 'labels'],
}

const readings: Record<ImportFormat, Reading> = {
  sheet: SHEET,
  // The list's CSV file, and links.csv of the account's export.
  tessera: {
    name: ['name', 'title'],
    url: ['destination'],
    vanityUrl: ['customurl'],
    shortUrl: ['shortlink'],
    formerUrls: ['formercustomurls'],
    design: ['design'],
  },
  // The export of links in its list (Bitlink, Long URL …, or Link, Custom Link, Destination URL), and the
  // words of its API: https://dev.bitly.com/api-reference#getBitlinksByGroup
  bitly: {
    name: ['title', 'name'],
    url: ['longurl', 'destinationurl', 'originalurl', 'destination'],
    vanityUrl: [
      ...['customlink', 'custombitlink', 'custombitlinks', 'backhalf', 'custombackhalf'],
      ...['bitlink', ...SHORT_LINKS, 'id'],
    ],
  },
  // The export of its list has names for people (Short link, Destination URL, Created at), its API others:
  // https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links
  dub: {
    name: ['title', 'description'],
    url: ['url', 'destinationurl'],
    vanityUrl: ['key', ...SHORT_LINKS],
    tags: ['tags', 'tagnames'],
  },
  // The names of a link in its API, which its export has too: https://developers.rebrandly.com/docs/get-started
  rebrandly: {
    name: ['title'],
    url: ['destination', 'destinationurl'],
    vanityUrl: ['slashtag', ...SHORT_LINKS],
  },
  // The names of a link in its API, which its export has too: https://developers.short.io/docs
  shortio: {
    name: ['title'],
    url: ['originalurl'],
    vanityUrl: ['path', 'secureshorturl', ...SHORT_LINKS],
  },
  // The list of dynamic codes in its dashboard
  qrtiger: {
    name: ['qrcodename', 'qrname', 'name', 'title'],
    url: [
      ...['destinationurl', 'destination', 'targeturl', 'url', 'originalurl', 'redirecturl'],
      ...['data', 'content'],
    ],
    vanityUrl: ['shorturl', 'shortlink', 'qrcodeurl'],
    tags: ['tags', 'folder'],
  },
  // The list's export in its web client, and the file that its importer reads:
  // https://shlink.io/documentation/advanced/import-short-urls/
  shlink: {
    name: ['title'],
    url: ['longurl'],
    vanityUrl: ['shortcode'],
  },
  // https://docs.kutt.it, GET /links; the same names as in its table
  kutt: {
    name: ['description'],
    url: ['target'],
    vanityUrl: ['address'],
  },
  // The plugin Import Export: keyword, url, title, timestamp, ip, clicks
  yourls: {
    name: ['title'],
    url: ['url'],
    vanityUrl: ['keyword'],
    createdAt: ['timestamp'],
  },
}

/** The columns that tell a format, in the order in which they are tried */
const signs: readonly [ImportFormat, (has: (...keys: string[]) => boolean) => boolean][] = [
  ['rebrandly', (has) => has('slashtag')],
  ['tessera', (has) => has('shortlink') && has('destination')],
  ['shlink', (has) => has('shortcode') && has('longurl')],
  ['yourls', (has) => has('keyword') && has('url')],
  ['kutt', (has) => has('address') && has('target')],
  ['shortio', (has) => has('originalurl') && has('path', 'idstring', 'secureshorturl')],
  ['bitly', (has) => has('bitlink', 'customlink', 'custombitlinks', 'custombackhalf')],
  ['dub', (has) => has('shortlink', 'key') && has('url', 'destinationurl')],
  [
    'qrtiger',
    (has) =>
      has('qrcodeurl') || (has('shorturl') && has('qrcodename', 'qrname', 'qrtype', 'qrcodetype')),
  ],
  ['bitly', (has) => has('longurl', 'destinationurl') && has('link', 'shortlink')],
]

export function formatOf(header: readonly string[]): ImportFormat {
  const keys = new Set(header.map(keyOf))
  const has = (...some: string[]) => some.some((key) => keys.has(key))
  return signs.find(([, isIt]) => isIt(has))?.[0] ?? 'sheet'
}

/** Which columns have each field, the first choice first. */
export type Columns = Readonly<Record<ImportField, readonly number[]>>

/** The columns of a file as a format names them. */
export function columnsOf(header: readonly string[], format: ImportFormat): Columns {
  const keys = header.map(keyOf)
  const names: Reading = { ...USUAL, ...readings[format] }
  const places = (field: ImportField) =>
    (names[field] ?? []).map((name) => keys.indexOf(name)).filter((at) => at !== -1)
  const [url] = places('url')
  return columnsBy((field) => {
    // A second column of links is the short one.
    if (field === 'url') return url === undefined ? [] : [url]
    return [...new Set(places(field))].filter((at) => at !== url)
  })
}

const columnsBy = (placesOf: (field: ImportField) => readonly number[]) =>
  Object.fromEntries(importFields.map((field) => [field, placesOf(field)])) as Columns

/** The columns as the owner has chosen them. Those that the format has too come first, in its order. */
export function chosenColumns(known: Columns, chosen: readonly (ImportField | null)[]): Columns {
  return columnsBy((field) => {
    const all = chosen.flatMap((as, at) => (as === field ? [at] : []))
    return [...new Set([...known[field].filter((at) => all.includes(at)), ...all])]
  })
}

/** The field that a column is read as, if there is one. */
export function fieldOf(columns: Columns, at: number): ImportField | null {
  return importFields.find((field) => columns[field].includes(at)) ?? null
}
