/**
 * Where to go after signing in: a path of this site, or the start page. Anything that a browser
 * could read as another site (//host, /\host, https:…, control characters) is the start page.
 */
export function returnPath(requested: string | null): string {
  if (!requested?.startsWith('/')) return '/'
  const here = 'http://here.invalid'
  const url = URL.parse(requested, here)
  if (url?.origin !== here || /^\/[/\\]/.test(requested)) return '/'
  const path = url.pathname + url.search + url.hash
  // "/.//host" is resolved to "//host", which is another site once it is assigned.
  return path.startsWith('//') ? '/' : path
}
