/**
 * Where to go after signing in: a path of this site, or `/`. Browsers read `\` as `/` and drop tabs
 * and line ends, so the path is judged as they would resolve it. `/.//host` resolves to `//host`,
 * which is another site once it is assigned or stands in a Location header.
 */
export function safeReturnTo(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/'
  const base = 'http://tessera.invalid'
  const url = URL.parse(path, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}
