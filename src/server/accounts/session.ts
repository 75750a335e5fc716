import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type Auth, CLIENT_ADDRESS_HEADER } from './auth.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the `requireUser` hook; empty on routes that do not ask for a user. */
    userId: string
  }
}

/** The request's headers as Better Auth reads them, with the client's address as Fastify judged it. */
export function authHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(CLIENT_ADDRESS_HEADER, request.ip)
  return headers
}

/** Hands on the cookies that Better Auth set. */
export function forwardCookies(from: Headers, reply: FastifyReply) {
  for (const cookie of from.getSetCookie()) reply.header('set-cookie', cookie)
}

/** Who is signed in; null for a visitor. Renews the session's cookie when it is due. */
export async function currentUser(auth: Auth, request: FastifyRequest, reply: FastifyReply) {
  if (!request.headers.cookie) return null
  const { response, headers } = await auth.api.getSession({
    headers: authHeaders(request),
    returnHeaders: true,
  })
  if (headers) forwardCookies(headers, reply)
  return response?.user ?? null
}

/** The hook before every route that needs a user: 401 comes before any other answer. */
export function requireUser(auth: Auth) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const user = await currentUser(auth, request, reply)
    if (!user) throw new AppError('unauthorized')
    request.userId = user.id
  }
}
