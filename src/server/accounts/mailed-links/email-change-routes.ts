import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { emailChange } from '#contract/account-settings.ts'
import { addressProof, mailedToken, signInAnswer } from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import { AppError, invalidInput } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { originOf } from '../origin.ts'
import { showOwner } from '../sign-in/password-check.ts'
import type { SignInDeps } from '../sign-in/sign-in.ts'
import { ownAccount } from '../users-store.ts'
import {
  accountToChange,
  approve,
  beginEmailChange,
  mailEmailChange,
  prove,
  undoByLink,
  undoChange,
} from './email-change.ts'
import { countMail } from './mailed-links.ts'

/** Another e-mail address for an account: asked for in the settings, agreed to at both addresses. */
export async function emailChangeRoutes(plain: FastifyInstance, deps: SignInDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, requireUser, demandOwner, later, signIns } = deps
  const signedIn = { onRequest: requireUser }

  app.post(
    '/api/account/email',
    { ...signedIn, schema: { body: emailChange } },
    async (request, reply) => {
      const to = request.body.email.toLowerCase()
      const account = await ownAccount(db, request.actor.personId)
      if (to === account.email) {
        throw invalidInput([{ path: 'email', message: 'This is already your address' }])
      }
      await demandOwner(request, request.body.password)
      await count(db, 'email-changes', account.id, clock())
      await countMail(deps, 'prove-email', to)
      await beginEmailChange(deps, request.actor, account, to)
      later.run(() => mailEmailChange(deps, account, to))
      return reply.code(202).send()
    },
  )

  app.delete('/api/account/email', signedIn, async (request, reply) => {
    await undoChange(deps, request.actor)
    return reply.code(204).send()
  })

  for (const [path, use] of [
    ['approve', approve],
    ['undo', undoByLink],
  ] as const) {
    app.post(
      `/api/auth/change-email/${path}`,
      { schema: { body: mailedToken } },
      async (request, reply) => {
        await count(db, 'link-uses', clientAddress(request), clock())
        await use(deps, { token: request.body.token, origin: originOf(request) })
        return reply.code(204).send()
      },
    )
  }

  app.post(
    '/api/auth/change-email/prove',
    { schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } } },
    async (request, reply) => {
      const { token, password } = request.body
      await count(db, 'link-uses', clientAddress(request), clock())
      const account = await accountToChange(deps, token)
      const shown = await showOwner(deps, request, reply, { account, password })
      // The account has no password: its owner signs in another way, as when asking for the change.
      if (!shown) throw new AppError('sign_in_first')
      await prove(deps, { token, shown, origin: originOf(request) })
      if ('sessionId' in shown) return reply.code(204).send()
      // A user who has given the password need not give it again to sign in.
      const own = { ...shown, account: await ownAccount(db, account.id) }
      return signIns.complete(request, reply, own)
    },
  )
}
