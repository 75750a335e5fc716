import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSame } from '../../same-secret.ts'

/** The server's address and the key that signs its cookies, as every room has them. */
type CookieSettings = { publicUrl: string; secret: string }

/** The prefix `__Host-` binds a cookie to this one host, but only https may set it (RFC 6265bis §4.1.3). */
export function cookieName(publicUrl: string, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-tessera_${name}` : `tessera_${name}`
}

/**
 * HMAC-SHA256 in base64 of a cookie's name and value, so that the value of one cookie is refused in
 * another. The session's signature covers its value alone, as browsers have had it from the first.
 */
function signatureOf({ name, value }: { name: string; value: string }, secret: string): string {
  const text = name === 'session' ? value : `cookie ${name}=${value}`
  return createHmac('sha256', secret).update(text).digest('base64')
}

/** Sets a signed cookie that scripts cannot read. `seconds` is how long it lives; 0 removes it. */
export function setCookie(
  reply: FastifyReply,
  { publicUrl, secret }: CookieSettings,
  cookie: { name: string; value: string; seconds: number },
) {
  const signed = cookie.seconds === 0 ? '' : signedValue(cookie, secret)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Max-Age=${cookie.seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', `${cookieName(publicUrl, cookie.name)}=${signed}; ${attributes}`)
}

/** A cookie's value with its signature, as a header has them. */
export function signedValue(cookie: { name: string; value: string }, secret: string): string {
  return encodeURIComponent(`${cookie.value}.${signatureOf(cookie, secret)}`)
}

/** The value of a cookie that we signed; undefined without one or if its signature is wrong. */
export function readCookie(
  request: FastifyRequest,
  { publicUrl, secret }: CookieSettings,
  name: string,
): string | undefined {
  const start = `${cookieName(publicUrl, name)}=`
  const found = request.headers.cookie?.split(/; */).find((cookie) => cookie.startsWith(start))
  const signed = found && decoded(found.slice(start.length))
  const dot = signed?.lastIndexOf('.') ?? -1
  if (!signed || dot < 0) return undefined
  const value = signed.slice(0, dot)
  return isSame(signed.slice(dot + 1), signatureOf({ name, value }, secret)) ? value : undefined
}

/** The names of a request's cookies of ours that begin like this, as `setCookie` takes them. */
export function cookieNames(
  { headers }: FastifyRequest,
  { publicUrl }: CookieSettings,
  start: string,
): string[] {
  const whole = cookieName(publicUrl, start)
  const names = headers.cookie?.split(/; */).map((cookie) => cookie.split('=')[0] ?? '') ?? []
  const found = names.filter((name) => name.startsWith(whole))
  return found.map((name) => start + name.slice(whole.length))
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
