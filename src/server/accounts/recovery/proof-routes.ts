import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { addressProof, signInAnswer } from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import type { Config } from '../../config.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { originOf } from '../origin.ts'
import type { Hashing } from '../passwords/hashing.ts'
import type { SignIn, SignInDeps } from '../sign-in/sign-in.ts'
import { showOwner } from './owner-shown.ts'
import { acceptProof, accountToProve } from './proof.ts'

export type ProofRoutesDeps = SignInDeps & {
  config: Pick<Config, 'publicUrl' | 'passwordLogin'>
  hashing: Hashing
  signIns: SignIn
}

/**
 * The link that proves an account's address. The mailbox alone does not prove that the account is the
 * reader's: somebody else may have made it with their address and know its password.
 */
export async function proofRoutes(plain: FastifyInstance, deps: ProofRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, signIns } = deps

  app.post(
    '/api/auth/verify-email',
    { schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } } },
    async (request, reply) => {
      const { token, password } = request.body
      await count(db, 'link-uses', clientAddress(request), clock())
      const account = await accountToProve(deps, token)
      const given = { account, password }
      const shown = account.emailVerified ? undefined : await showOwner(deps, request, reply, given)
      await acceptProof(deps, token, { shown, origin: originOf(request) })
      if (!shown || 'sessionId' in shown) return reply.code(204).send()
      // Who has given the password need not give it again to sign in.
      const own = { ...shown, account: { ...account, emailVerified: true } }
      return signIns.complete(request, reply, own)
    },
  )
}
