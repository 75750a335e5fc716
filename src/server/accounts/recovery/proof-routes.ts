import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { addressProof, signInAnswer } from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import type { Config } from '../../config.ts'
import { clientAddress } from '../../http/client-address.ts'
import { count } from '../../http/counts-store.ts'
import { AppError } from '../../http/errors.ts'
import type { Hashing } from '../hashing.ts'
import { originOf } from '../origin.ts'
import { currentSession } from '../session.ts'
import { demandPassword } from '../sign-in/password-check.ts'
import type { SignIn, SignInDeps } from '../sign-in/sign-in.ts'
import { type AccountRow, passwordHashOf } from '../users-store.ts'
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
  const { auth, db, clock, config, signIns } = deps

  app.post(
    '/api/auth/verify-email',
    { schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } } },
    async (request, reply) => {
      const { token, password } = request.body
      await count(db, 'link-uses', clientAddress(request), clock())
      const account = await accountToProve(deps, token)
      const origin = originOf(request)
      const found = await currentSession(auth, request, reply)
      const isSignedIn = found?.user.id === account.id
      if (isSignedIn || !(await hasUnprovenPassword(account))) {
        const shown = isSignedIn ? { sessionId: found.session.id } : undefined
        await acceptProof(deps, token, { shown, origin })
        return reply.code(204).send()
      }
      const proved = await check(request, account, password)
      await acceptProof(deps, token, { shown: proved, origin })
      // Who has given the password need not give it again to sign in.
      const own = { ...proved, account: { ...account, emailVerified: true } }
      return signIns.complete(request, reply, own)
    },
  )

  /** Where passwords are switched off, none opens anything. */
  async function hasUnprovenPassword({ id, emailVerified }: AccountRow): Promise<boolean> {
    if (emailVerified || !config.passwordLogin) return false
    return (await passwordHashOf(db, id)) !== null
  }

  async function check(request: FastifyRequest, account: AccountRow, password?: string) {
    if (password === undefined) throw new AppError('password_needed')
    await count(db, 'sign-ins', clientAddress(request), clock())
    return demandPassword(deps, request, { email: account.email, account, password })
  }
}
