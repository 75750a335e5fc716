import type { FastifyRequest } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { trustedOrigins } from '../../http/policy/site-policy.ts'

/** Refuses a sign-in from a page at another address of this server, where its cookie would be of no use. */
export function ownOriginOnly(publicUrl: string) {
  const origins = trustedOrigins(publicUrl)
  return ({ headers }: FastifyRequest) => {
    if (!headers.origin || origins.includes(headers.origin)) return
    throw new AppError('forbidden', `Open ${publicUrl} in your browser and sign in there.`)
  }
}
