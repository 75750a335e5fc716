import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { passkeyEntry, proofOnly } from '#contract/account-settings.ts'
import { signInAnswer } from '#contract/accounts.ts'
import { newPasskey, passkeyOptions, passkeySignIn } from '#contract/passkeys.ts'
import { z } from '#contract/zod.ts'
import { AppError } from '../../../http/errors.ts'
import { count } from '../../../http/limits/counts-store.ts'
import { memoryLimits } from '../../../http/limits/limits.ts'
import { rateLimit } from '../../../http/limits/memory-counts.ts'
import { clientAddress } from '../../../http/policy/client-address.ts'
import type { SignInDeps } from '../sign-in.ts'
import { Passkeys } from './passkeys.ts'

const byId = z.object({ id: z.string() })

/** Passkeys at the sign-in and in the settings. */
export async function passkeyRoutes(plain: FastifyInstance, deps: SignInDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, config, signIns, requireUser, demandOwner } = deps
  const passkeys = new Passkeys(deps)
  const ofOwner = { onRequest: requireUser }

  /** If only the company's provider signs in, people who leave the company must not get in. */
  function refuseWithProviderOnly() {
    if (!config.passwordLogin) throw new AppError('not_found')
  }

  app.post(
    '/api/auth/passkey/options',
    {
      onRequest: rateLimit(memoryLimits.visits, clientAddress),
      schema: { response: { 200: passkeyOptions } },
    },
    async (request, reply) => {
      refuseWithProviderOnly()
      reply.header('cache-control', 'no-store')
      return { ...passkeys.requestOptions(request, reply) }
    },
  )

  app.post(
    '/api/auth/sign-in/passkey',
    { schema: { body: passkeySignIn, response: { 200: signInAnswer } } },
    async (request, reply) => {
      refuseWithProviderOnly()
      await count(db, 'sign-ins', clientAddress(request), clock())
      const account = await passkeys.ownerOf(request, reply, request.body.response)
      const passkey = request.body.response.id
      return signIns.complete(request, reply, { account, method: 'passkey', passkey })
    },
  )

  app.post(
    '/api/account/passkeys/options',
    { ...ofOwner, schema: { body: proofOnly, response: { 200: passkeyOptions } } },
    async (request, reply) => {
      refuseWithProviderOnly()
      await demandOwner(request, request.body.password)
      return { ...(await passkeys.creationOptions(request, reply)) }
    },
  )

  app.post(
    '/api/account/passkeys',
    { ...ofOwner, schema: { body: newPasskey, response: { 200: passkeyEntry } } },
    async (request, reply) => {
      refuseWithProviderOnly()
      return passkeys.add(request, reply, request.body)
    },
  )

  app.delete(
    '/api/account/passkeys/:id',
    { ...ofOwner, schema: { params: byId } },
    async (request, reply) => {
      await passkeys.remove(request, request.params.id)
      return reply.code(204).send()
    },
  )
}
