import { PICTURE_MAX_BYTES } from '#contract/accounts/account-settings.ts'
import { z } from '#contract/zod.ts'
import { transactAs } from '../../actor.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { findUserPicture, removeUserPicture, saveUserPicture } from '../users-store.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
/** A URL names one version, which never changes. */
const FOR_EVER = 'private, max-age=31536000, immutable'

/** The account's own picture: set, shown and removed. */
export async function userPictureRoutes(app: Api, deps: AccountDeps) {
  const { db } = deps
  app.addHook('onRequest', deps.requireUser)
  takeFiles(app, TYPES, 'Send a picture: PNG, JPG, or WebP.')
  const sending = new FairQueue(queues.uploads)

  app.put(
    '/api/account/picture',
    {
      // Before the file is read, so that an account fills no memory.
      onRequest: (request, reply) =>
        queueUntilAnswered(sending, request, reply, request.actor.personId),
      bodyLimit: PICTURE_MAX_BYTES,
    },
    async (request, reply) => {
      const { actor, body } = request
      if (!(body instanceof Uint8Array)) throw new AppError('picture_unreadable')
      const picture = await deps.uploads.portrait(actor.personId, body, hangUpSignal(request))
      await transactAs(db, actor, async (tx) => {
        await saveUserPicture(tx, actor.personId, picture)
        await deps.record(tx, actor, 'picture-changed')
      })
      return reply.code(204).send()
    },
  )

  const shown = { schema: { querystring: z.object({ v: z.string().max(64).default('') }) } }
  app.get('/api/account/picture', shown, async (request, reply) => {
    const picture = await findUserPicture(db, request.actor.personId, request.query.v)
    if (!picture) throw new AppError('not_found')
    return reply.header('cache-control', FOR_EVER).type('image/webp').send(picture)
  })

  app.delete('/api/account/picture', async ({ actor }, reply) => {
    await transactAs(db, actor, async (tx) => {
      if (!(await removeUserPicture(tx, actor.personId))) return
      await deps.record(tx, actor, 'picture-changed')
    })
    return reply.code(204).send()
  })
}
