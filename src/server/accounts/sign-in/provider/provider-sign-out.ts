import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../database/schema.ts'
import { type CookieSettings, readCookie } from '../../sessions/cookies.ts'
import type { Provider } from './provider.ts'
import { idTokenOf } from './provider-store.ts'

type Deps = { db: Db; cookies: CookieSettings; provider: Provider | undefined }

/**
 * Where a browser signs out of the provider as well: otherwise the next press of a button would let
 * anybody at this browser in again. Undefined for a session that began in another way, and where the
 * provider does not answer: our own session ends all the same.
 */
export function leaveProvider({ db, cookies, provider }: Deps) {
  return async (request: FastifyRequest): Promise<string | undefined> => {
    const token = provider && readCookie(request, cookies, 'session')
    const idToken = token && (await idTokenOf(db, token))
    if (!provider || !idToken) return undefined
    return provider.signOutUrl(idToken).catch((error: Error) => {
      request.log.warn({ why: error.message }, 'nobody signed out at the provider')
      return undefined
    })
  }
}
