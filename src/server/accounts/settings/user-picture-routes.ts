import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { PICTURE_MAX_BYTES } from '#contract/account-settings.ts'
import { z } from '#contract/zod.ts'
import { recordEvent } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { UploadedPictures } from '../../pictures/uploads/uploaded-pictures.ts'
import { originOf } from '../origin.ts'
import { findUserPicture, removeUserPicture, saveUserPicture } from './user-pictures-store.ts'

export type UserPictureRoutesDeps = {
  db: Db
  clock: Clock
  requireUser: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  uploads: UploadedPictures
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
/** An address names one version for ever. */
const FOR_EVER = 'private, max-age=31536000, immutable'

/** The own picture: who is signed in sets, sees and removes it. */
export async function userPictureRoutes(plain: FastifyInstance, deps: UserPictureRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock } = deps
  app.addHook('onRequest', deps.requireUser)
  takeFiles(app, TYPES, 'Send a picture: PNG, JPG or WebP.')
  const sending = new FairQueue(queues.uploads)

  /** Before the file is read, so that an account fills no memory. */
  async function uploadTurn(request: FastifyRequest, reply: FastifyReply) {
    await queueUntilAnswered(sending, request, reply, request.userId)
  }

  async function tell(tx: Db, request: FastifyRequest) {
    const [{ userId }, origin] = [request, originOf(request)]
    const entry = { userId, actor: 'user', event: 'picture-changed', origin } as const
    await recordEvent(tx, entry, clock())
  }

  app.put(
    '/api/account/picture',
    { onRequest: uploadTurn, bodyLimit: PICTURE_MAX_BYTES },
    async (request, reply) => {
      const { userId, body } = request
      if (!(body instanceof Uint8Array)) throw new AppError('picture_unreadable')
      const picture = await deps.uploads.portrait(userId, body, hangUpSignal(request))
      await transact(db, async (tx) => {
        await saveUserPicture(tx, userId, picture)
        await tell(tx, request)
      })
      return reply.code(204).send()
    },
  )

  app.get(
    '/api/account/picture',
    { schema: { querystring: z.object({ v: z.string().max(64).default('') }) } },
    async (request, reply) => {
      const picture = await findUserPicture(db, request.userId, request.query.v)
      if (!picture) throw new AppError('not_found')
      return reply.header('cache-control', FOR_EVER).type('image/webp').send(picture)
    },
  )

  app.delete('/api/account/picture', async (request, reply) => {
    await transact(db, async (tx) => {
      if (await removeUserPicture(tx, request.userId)) await tell(tx, request)
    })
    return reply.code(204).send()
  })
}
