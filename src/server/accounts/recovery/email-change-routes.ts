import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { emailChange } from '#contract/account-settings.ts'
import { addressProof, mailedToken, signInAnswer } from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import { AppError, invalidInput } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { originOf } from '../origin.ts'
import type { DemandOwner } from '../settings/proof-of-owner.ts'
import {
  accountToChange,
  approve,
  beginEmailChange,
  mailEmailChange,
  ownAccount,
  prove,
  undoByLink,
  undoChange,
} from './email-change.ts'
import { countMail, type LinkMailDeps } from './mailed-links.ts'
import { type ShowOwnerDeps, showOwner } from './owner-shown.ts'

export type EmailChangeRoutesDeps = LinkMailDeps &
  ShowOwnerDeps & {
    config: { publicUrl: string; passwordLogin: boolean }
    requireUser: onRequestHookHandler
    demandOwner: DemandOwner
    later: BackgroundTasks
  }

/** Another e-mail address for an account: asked for in the settings, agreed to at both addresses. */
export async function emailChangeRoutes(plain: FastifyInstance, deps: EmailChangeRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, requireUser, demandOwner, later, signIns } = deps
  const signedIn = { onRequest: requireUser }

  app.post(
    '/api/account/email',
    { ...signedIn, schema: { body: emailChange } },
    async (request, reply) => {
      const to = request.body.email.toLowerCase()
      const account = await ownAccount(deps, request.userId)
      if (to === account.email) {
        throw invalidInput([{ path: 'email', message: 'This is your address already' }])
      }
      await demandOwner(request, request.body.password)
      await count(db, 'email-changes', account.id, clock())
      await countMail(deps, 'prove-email', to)
      await beginEmailChange(deps, account, { to, origin: originOf(request) })
      later.run(() => mailEmailChange(deps, account, to))
      return reply.code(202).send()
    },
  )

  app.delete('/api/account/email', signedIn, async (request, reply) => {
    await undoChange(deps, request.userId, originOf(request))
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
      // Its owner has asked for the change in some browser, and gets in there or by another way.
      if (!shown) throw new AppError('sign_in_first')
      await prove(deps, { token, shown, origin: originOf(request) })
      if ('sessionId' in shown) return reply.code(204).send()
      // Who has given the password need not give it again to sign in.
      const own = { ...shown, account: await ownAccount(deps, account.id) }
      return signIns.complete(request, reply, own)
    },
  )
}
