import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { apiKeyEntry, madeApiKey, newApiKey } from '#contract/programs/api-keys.ts'
import { z } from '#contract/zod.ts'
import { recordEvent } from '../../audit.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import type { Letter } from '../../mail/mail-template.ts'
import { recordAndTell } from '../account-events.ts'
import { factsOf, type Happening, quoted } from '../letters.ts'
import { originOf } from '../origin.ts'
import type { DemandOwner } from '../settings/proof-of-owner.ts'
import { findAccount, lockUser } from '../users-store.ts'
import { addKey, keysOf, presentKey, removeKey } from './keys-store.ts'

export type KeyRoutesDeps = {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string }
  requireUser: onRequestHookHandler
  demandOwner: DemandOwner
  entitlementsOf: EntitlementsOf
}

const byId = z.object({ id: z.string() })

/** An account's API keys: made on a plan with the API, seen and revoked on every plan. */
export async function keyRoutes(plain: FastifyInstance, deps: KeyRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, mailer, entitlementsOf } = deps
  app.addHook('onRequest', deps.requireUser)

  app.get(
    '/api/account/keys',
    { schema: { response: { 200: z.array(apiKeyEntry) } } },
    async ({ userId }) => (await keysOf(db, userId)).map(presentKey),
  )

  app.post(
    '/api/account/keys',
    { schema: { body: newApiKey, response: { 201: madeApiKey } } },
    async (request, reply) => {
      const { userId, body } = request
      if (!(await entitlementsOf(db, userId)).hasApi) throw new AppError('api_not_in_plan')
      await deps.demandOwner(request, body.password)
      const made = await transact(db, async (tx) => {
        await lockUser(tx, userId)
        const account = await findAccount(tx, { id: userId })
        if (!account) throw new AppError('unauthorized')
        const made = await addKey(tx, userId, body, clock())
        if (!made) throw new AppError('keys_full')
        await recordAndTell(tx, deps, {
          event: 'api-key-made',
          account,
          origin: originOf(request),
          subject: made.row.id,
          letter: (happening) => keyMadeLetter(happening, body, account),
        })
        return made
      })
      mailer.soon()
      return reply.code(201).send({ ...presentKey(made.row), key: made.key })
    },
  )

  app.delete('/api/account/keys/:id', { schema: { params: byId } }, async (request, reply) => {
    const { userId, params } = request
    await transact(db, async (tx) => {
      if (!(await removeKey(tx, userId, params.id))) throw new AppError('not_found')
      const entry = { userId, actor: 'user', event: 'api-key-revoked', subject: params.id } as const
      await recordEvent(tx, { ...entry, origin: originOf(request) }, clock())
    })
    return reply.code(204).send()
  })
}

/** What our mail says when a key was made: a program that has one needs no password. */
export const keyMadeLetter = (
  happening: Happening,
  { name, scope }: { name: string; scope: string },
  account: { emailVerified: boolean },
): Letter => ({
  subject: 'An API key was made',
  paragraphs: [
    scope === 'write'
      ? `Programs that have the API key${quoted(name, account)} can see, make, change and delete the QR codes of your account.`
      : `Programs that have the API key${quoted(name, account)} can see the QR codes of your account and their scans.`,
  ],
  facts: factsOf(happening),
  button: { label: 'See my API keys', url: `${happening.publicUrl}/profile?settings=keys` },
  notes: [
    'If this was not you, sign in, revoke the key and change your password now. If you cannot sign in any more, choose “Forgot your password?” on the sign-in page.',
  ],
})
