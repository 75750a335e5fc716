import fc from 'fast-check'

/** A name of a code: letters, digits, - and _. */
export const name = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_'),
  minLength: 3,
  maxLength: 50,
})

/** Texts with a meaning in configuration files, queries or fragments. */
const hostile = fc.constantFrom(
  ...[...'"\'`\\{}[]()<>|^$#%&;:,=+*?!@~ \t\n'],
  ...[
    '{$HOME}',
    '\\{x\\}',
    '$uri',
    '$' + '{host}',
    '{http.request.uri}',
    '<<EOF',
    '%0a',
    '%24',
    'ä',
    '🍰',
    ':splat',
  ],
)
const part = fc
  .array(fc.oneof(hostile, fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''))

/** A destination as it is stored. */
export const url = fc
  .tuple(
    fc.constantFrom('https://example.com', 'http://[::1]:8080', 'https://bücher.example'),
    part,
    part,
    part,
  )
  .map(([host, path, query, fragment]) => new URL(`${host}/${path}?${query}#${fragment}`).href)

/** Destinations that have broken configuration files. */
export const hostileUrls = [
  'https://example.com/?a={b}&c={$HOME}&d={http.request.uri}',
  'https://example.com/?q=$uri$' + '{host}$$1',
  'https://example.com/?q=a\\b\\',
  'https://example.com/?q=`whoami`',
  "https://example.com/it's;quote,(all)!*",
  'https://example.com/?q=%22%0A%7D%20return%20200;',
  'https://example.com/#{a}\\"#b',
  'https://example.com/?filter[a]=1|2^3',
  'https://bücher.example/käse?ß=ü#ö',
  'http://[2001:db8::1]:8080/:splat/:name',
  `https://example.com/?long=${'x'.repeat(2_000)}`,
].map((address) => new URL(address).href)
