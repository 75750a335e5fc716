/** Paths that lead on from here, in any writing that the router reads alike (`%71r` is `qr`). */
const LEADS_ON = /^\/(qr|oauth|api\/(auth|logout))(\/|$)/i

/**
 * Where to go after signing in: a path of this site, or `/`. Browsers read `\` as `/` and drop tabs
 * and line ends, so the path is judged as they would resolve it. `/.//host` resolves to `//host`,
 * which is another site once it is assigned or stands in a Location header. The short link of
 * a code leads to other sites too, and our own steps of signing in and out are not places to go.
 */
export function safeReturnTo(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) return '/'
  const base = 'http://tessera.invalid'
  const url = URL.parse(path, base)
  if (url?.origin !== base || url.pathname.startsWith('//') || LEADS_ON.test(decoded(url.pathname)))
    return '/'
  return url.pathname + url.search + url.hash
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // The router takes no such path either.
    return path
  }
}
