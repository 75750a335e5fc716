import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { emailChange } from '#contract/account-settings.ts'
import { mailedToken } from '#contract/accounts.ts'
import { clientAddress } from '../../http/client-address.ts'
import { count } from '../../http/counts-store.ts'
import { invalidInput } from '../../http/errors.ts'
import type { Later } from '../later.ts'
import { originOf } from '../origin.ts'
import type { DemandOwner } from '../settings/proof-of-owner.ts'
import {
  agree,
  beginEmailChange,
  mailEmailChange,
  ownAccount,
  undoByLink,
  undoChange,
} from './email-change.ts'
import { countMail, type LinkMailDeps } from './link-mails.ts'

export type EmailChangeRoutesDeps = LinkMailDeps & {
  requireUser: onRequestHookHandler
  demandOwner: DemandOwner
  later: Later
}

/** Another e-mail address for an account: asked for in the settings, agreed to at both addresses. */
export async function emailChangeRoutes(plain: FastifyInstance, deps: EmailChangeRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, requireUser, demandOwner, later } = deps
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
    ['approve', agreeAs('approve-email')],
    ['prove', agreeAs('prove-email')],
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
}

function agreeAs(kind: 'approve-email' | 'prove-email'): typeof undoByLink {
  return (deps, use) => agree(deps, kind, use)
}
