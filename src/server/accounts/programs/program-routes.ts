import { ownerProof } from '#contract/accounts/account-settings.ts'
import { hasRight } from '#contract/accounts/roles.ts'
import { apiKeyEntry, madeApiKey, newApiKey } from '#contract/integrations/api-keys.ts'
import { connectedApp } from '#contract/integrations/connected-apps.ts'
import { idParams, z } from '#contract/zod.ts'
import { type Actor, transactAs } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { keyMadeLetter, keyResumedLetter } from '../letters.ts'
import { appsOf, forgetApp, presentApp } from './apps-store.ts'
import { addKey, keysOf, presentKey, removeKey, resumeKey } from './keys-store.ts'

const removals = [
  ['keys', keysOf, removeKey, 'api-key-revoked'],
  ['apps', appsOf, forgetApp, 'app-disconnected'],
] as const

/** Whether a person sees a key or an app: their own, and those of others if they manage the workspace */
const isSeenBy =
  ({ personId, role }: Actor) =>
  ({ made_by }: { made_by: PersonId | null }) =>
    made_by === personId || hasRight(role, 'manage')

/**
 * A workspace's API keys and connected apps: a key is made on a plan with the API; both are seen, turned on again
 * and revoked on every plan. connecting.ts connects apps.
 */
export async function programRoutes(app: Api, deps: AccountDeps) {
  const { db, clock, entitlementsOf } = deps
  app.addHook('onRequest', deps.requireUser)

  const keys = { schema: { response: { 200: z.array(apiKeyEntry) } } }
  app.get('/api/account/keys', keys, async ({ actor }) =>
    (await keysOf(db, actor.workspaceId)).filter(isSeenBy(actor)).map(presentKey),
  )

  const apps = { schema: { response: { 200: z.array(connectedApp) } } }
  app.get('/api/account/apps', apps, async ({ actor }) =>
    (await appsOf(db, actor.workspaceId)).filter(isSeenBy(actor)).map(presentApp),
  )

  const making = { schema: { body: newApiKey, response: { 201: madeApiKey } } }
  app.post('/api/account/keys', making, async (request, reply) => {
    const { actor, body } = request
    if (!(await entitlementsOf(db, actor.workspaceId)).hasApi) throw new AppError('api_not_in_plan')
    await deps.demandRecentProof(request, body.password)
    const { row, key } = await changeAccount(deps, actor, async ({ tx, report }) => {
      const made = await addKey(tx, actor, body, clock())
      if (!made) throw new AppError('keys_full')
      const subject = made.row.id
      await report('api-key-made', (context) => keyMadeLetter(context, body), { subject })
      return made
    })
    return reply.code(201).send({ ...presentKey(row), key })
  })

  const resuming = { schema: { params: idParams, body: ownerProof } }
  app.post('/api/account/keys/:id/resume', resuming, async (request, reply) => {
    const { actor, params, body } = request
    await deps.demandRecentProof(request, body.password)
    await changeAccount(deps, actor, async ({ tx, report }) => {
      const seen = (await keysOf(tx, actor.workspaceId)).filter(isSeenBy(actor))
      const key = seen.find(({ id }) => id === params.id)
      if (!key) throw new AppError('not_found')
      if (key.paused_at === null) return
      await resumeKey(tx, key.id)
      const subject = key.id
      await report('api-key-resumed', (context) => keyResumedLetter(context, key), { subject })
    })
    return reply.code(204).send()
  })

  for (const [path, programsOf, remove, event] of removals) {
    app.delete(
      `/api/account/${path}/:id`,
      { schema: { params: idParams } },
      async (request, reply) => {
        const { actor, params } = request
        await transactAs(db, actor, async (tx) => {
          const seen = (await programsOf(tx, actor.workspaceId)).filter(isSeenBy(actor))
          if (!seen.some(({ id }) => id === params.id)) throw new AppError('not_found')
          await remove(tx, params.id)
          await deps.record(tx, actor, event, params.id)
        })
        return reply.code(204).send()
      },
    )
  }
}
