/** A code's names, which have letters, digits, - and _ only, and their destination */
export type Redirect = { names: string[]; url: string }

/** A file of redirects: what stands before the codes, each code's lines, and what stands after them. */
export type RedirectFormat = {
  fileName: string
  head: (publicUrl: string) => string
  lines: (redirect: Redirect) => string
  tail: string
}

/** Everything that RFC 3986 does not allow in a URL with percent-encoded bytes */
const NOT_IN_ADDRESSES = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu

/**
 * An address with only the characters of RFC 3986: browsers let others through, such as { and \,
 * that mean something in the files below. Servers read them the same when they are percent-encoded.
 */
export function plainAddress(url: string): string {
  return url.toWellFormed().replace(NOT_IN_ADDRESSES, encodeURIComponent)
}

const pathOf = (name: string) => `/qr/${name}`

/** nginx reads words of at most 4,096 bytes, and does not start with a longer one. */
const NGINX_WORD_MAX = 4_000

/** The lines by which a server block uses the map */
export const NGINX_LOCATION = [
  'location ~* ^/qr/ {',
  '    if ($tessera_destination = "") { return 404; }',
  '    return 302 $tessera_destination;',
  '}',
]

/** In a map's value $ begins a variable, and nothing escapes it: it comes from a variable itself. */
function nginxValue(url: string): string {
  return plainAddress(url).replaceAll('$', '$${tessera_dollar}')
}

/** https://nginx.org/en/docs/http/ngx_http_map_module.html: names are compared without their case. */
export const nginxMap: RedirectFormat = {
  fileName: 'nginx-map.conf',
  head: () =>
    [
      '# Where your QR codes lead, for nginx. Include this file in its http block (on Debian: copy it to',
      '# /etc/nginx/conf.d/), and put this into the server block of the host in your links:',
      '#',
      ...NGINX_LOCATION.map((line) => `#     ${line}`),
      '#',
      '# Paused codes are left out.',
      '',
      'map_hash_max_size 65536;',
      'map_hash_bucket_size 512;',
      '',
      'geo $tessera_dollar { default "$"; }',
      '',
      'map $uri $tessera_destination {',
      '    default "";',
      '',
    ].join('\n'),
  lines: ({ names, url }) => {
    const value = nginxValue(url)
    const mark = value.length > NGINX_WORD_MAX ? '# too long for nginx: ' : ''
    return names.map((name) => `    ${mark}"${pathOf(name)}" "${value}";\n`).join('')
  },
  tail: '}\n',
}

/** https://caddyserver.com/docs/caddyfile/directives/redir: paths are compared without their case. */
export const caddyfile: RedirectFormat = {
  fileName: 'Caddyfile',
  head: (publicUrl) =>
    [
      '# Where your QR codes lead, for Caddy: caddy run --config Caddyfile',
      '# Replace the address in the next line with the host in your links. Paused codes are left out.',
      `${publicUrl} {`,
      '',
    ].join('\n'),
  lines: ({ names, url }) =>
    names.map((name) => `\tredir ${pathOf(name)} "${plainAddress(url)}" 302\n`).join(''),
  tail: '\trespond 404\n}\n',
}

/**
 * https://docs.netlify.com/routing/redirects/ and Cloudflare Pages: words with spaces between. Paths are
 * compared with their case, and compact codes print theirs in capitals.
 */
export const redirectsFile: RedirectFormat = {
  fileName: '_redirects',
  head: () =>
    [
      '# Where your QR codes lead, for Netlify and Cloudflare Pages: publish this file with your site.',
      '# Each link stands here as it is and in capitals, as compact codes print it. Paused codes are left out.',
      '',
    ].join('\n'),
  lines: ({ names, url }) =>
    names
      .flatMap((name) => [pathOf(name), pathOf(name).toUpperCase()])
      .map((path) => `${path} ${plainAddress(url)} 302\n`)
      .join(''),
  tail: '',
}
