/** A code's names, which have no sign that means something in these files, and their destination */
export type Redirect = { names: string[]; url: string }

/** The host of a file's links: this server's, or the first, second, third domain of an account */
export type LinkHost = { origin: string; domain?: number }

/** A file of redirects: what stands before the codes, each code's lines, and what stands after them. */
export type RedirectFormat = {
  fileName: string
  head: string
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

/** On a domain a name leads without /qr/, too. */
const pathsOf = (names: readonly string[], { domain }: LinkHost) =>
  names.flatMap((name) => (domain === undefined ? [`/qr/${name}`] : [`/qr/${name}`, `/${name}`]))

/** nginx reads words of at most 4,096 bytes, and does not start with a longer one. */
const NGINX_WORD_MAX = 4_000

/** Each file has variables of its own, since one nginx may include several. */
const variablesOf = ({ domain }: LinkHost) => `tessera${domain === undefined ? '' : `_${domain}`}`

/** The lines by which a server block uses the map */
export function nginxLocation(host: LinkHost): string[] {
  const destination = `$${variablesOf(host)}_destination`
  return [
    host.domain === undefined ? 'location ~* ^/qr/ {' : 'location / {',
    `    if (${destination} = "") { return 404; }`,
    `    return 302 ${destination};`,
    '}',
  ]
}

/** https://nginx.org/en/docs/http/ngx_http_map_module.html: names are compared without their case, and stand once. */
export function nginxMap(host: LinkHost): RedirectFormat {
  const variables = variablesOf(host)
  const isTaken = spellings(host)
  return {
    fileName: 'nginx-map.conf',
    head: [
      '# Where your QR codes lead, for nginx. Include this file in its http block (on Debian: copy it to',
      '# /etc/nginx/conf.d/), and put this into the server block of the host in your links:',
      '#',
      ...nginxLocation(host).map((line) => `#     ${line}`),
      '#',
      '# Paused codes are left out, those with a password too.',
      '',
      ...(host.domain === undefined
        ? [...NGINX_SIZES, '']
        : [
            `# ${host.origin}: take the # away unless the other nginx-map.conf is included, too.`,
            ...NGINX_SIZES.map((line) => `# ${line}`),
            '',
          ]),
      `geo $${variables}_dollar { default "$"; }`,
      '',
      `map $uri $${variables}_destination {`,
      '    default "";',
      '',
    ].join('\n'),
    lines: ({ names, url }) => {
      // In a map's value $ begins a variable, and nothing escapes it: it comes from a variable itself.
      const value = plainAddress(url).replaceAll('$', `$\${${variables}_dollar}`)
      const tooLong = value.length > NGINX_WORD_MAX ? '# too long for nginx: ' : ''
      return pathsOf(names, host)
        .map((path) => `    ${isTaken(path) ? SPELLING : tooLong}"${path}" "${value}";\n`)
        .join('')
    },
    tail: '}\n',
  }
}

/** They stand once in an nginx. */
const NGINX_SIZES = ['map_hash_max_size 65536;', 'map_hash_bucket_size 512;']

const SPELLING = '# another name differs in capitals only: '

/** Whether another path has differed from this one in capitals only, which happens on domains alone. */
function spellings({ domain }: LinkHost): (path: string) => boolean {
  const taken = new Set<string>()
  return (path) => {
    const before = taken.size
    return domain !== undefined && taken.add(path.toLowerCase()).size === before
  }
}

/** https://caddyserver.com/docs/caddyfile/directives/redir: paths are compared without their case, the first one counts. */
export function caddyfile(host: LinkHost): RedirectFormat {
  const isTaken = spellings(host)
  return {
    fileName: 'Caddyfile',
    head: [
      '# Where your QR codes lead, for Caddy: caddy run --config Caddyfile',
      '# The next line has the address of your links, which you may replace. Paused codes are left out, those with a password too.',
      `${host.origin} {`,
      '',
    ].join('\n'),
    lines: ({ names, url }) =>
      pathsOf(names, host)
        .map((path) => {
          const mark = isTaken(path) ? SPELLING : ''
          return `\t${mark}redir ${path} "${plainAddress(url)}" 302\n`
        })
        .join(''),
    tail: '\trespond 404\n}\n',
  }
}

/**
 * https://docs.netlify.com/routing/redirects/ and Cloudflare Pages: words with spaces between. Paths are
 * compared with their case, and compact codes print theirs in capitals.
 */
export const redirectsFile = (host: LinkHost): RedirectFormat => ({
  fileName: '_redirects',
  head: [
    '# Where your QR codes lead, for Netlify and Cloudflare Pages: publish this file with your site.',
    '# Each link stands here as it is and in capitals, as compact codes print it. Paused codes are left out, those with a password too.',
    '',
  ].join('\n'),
  lines: ({ names, url }) =>
    pathsOf(names, host)
      .flatMap((path) => (/^\/qr\/[^A-Z]*$/.test(path) ? [path, path.toUpperCase()] : [path]))
      .map((path) => `${path} ${plainAddress(url)} 302\n`)
      .join(''),
  tail: '',
})
