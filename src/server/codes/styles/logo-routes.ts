import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  LOGO_MAX_BYTES,
  LOGOS_MAX,
  LOGOS_MAX_BYTES,
  type Logo,
  logo,
  logoParams,
  logoQuery,
} from '#contract/pictures/artwork.ts'
import { z } from '#contract/zod.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { UploadedPictures } from '../../pictures/uploads/uploaded-pictures.ts'
import { lockAccount } from '../codes-store.ts'
import type { CodeDeps } from '../types.ts'
import {
  codesWithLogo,
  findLogo,
  hasLogo,
  insertLogo,
  type LogoRow,
  listLogos,
  logoFile,
  logoRow,
  removeLogo,
} from './logos-store.ts'
import { stylesWithLogo } from './styles-store.ts'

export type LogoRoutesDeps = Pick<CodeDeps, 'db' | 'clock' | 'entitlementsOf'> & {
  uploads: UploadedPictures
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
/** An id names one picture for ever. */
const FOR_EVER = 'private, max-age=31536000, immutable'

/** The logos of an account: what its codes' artwork can name. */
export async function logoRoutes(plain: FastifyInstance, deps: LogoRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, uploads } = deps
  takeFiles(app, TYPES, 'Send a picture: PNG, JPG, SVG or WebP.')
  const sending = new FairQueue(queues.uploads)

  /** Before the file is read, so that an account fills no memory. */
  async function uploadTurn(request: FastifyRequest, reply: FastifyReply) {
    await queueUntilAnswered(sending, request, reply, request.userId)
  }

  app.get('/api/logos', { schema: { response: { 200: z.array(logo) } } }, async (request) =>
    (await listLogos(db, request.userId)).map(shown),
  )

  app.post(
    '/api/logos',
    {
      onRequest: uploadTurn,
      bodyLimit: LOGO_MAX_BYTES,
      schema: { querystring: logoQuery, response: { 200: logo, 201: logo } },
    },
    async (request, reply) => {
      const { userId, body, query } = request
      const { hasArtwork } = await deps.entitlementsOf(db, userId)
      if (!hasArtwork) throw new AppError('artwork_not_in_plan')
      const file = body instanceof Uint8Array ? body : new Uint8Array()
      const picture = await uploads.logo(userId, file, hangUpSignal(request))
      const row = logoRow(userId, query.name, picture, clock())
      const isNew = await transact(db, async (tx) => {
        await lockAccount(tx, userId)
        const kept = await listLogos(tx, userId)
        if (kept.some(({ id }) => id === row.id)) return false
        refuseTooMany(kept, row)
        await insertLogo(tx, row)
        return true
      })
      return reply.code(isNew ? 201 : 200).send(shown(row))
    },
  )

  app.get('/api/logos/:id', { schema: { params: logoParams } }, async (request, reply) => {
    const { id } = request.params
    const picture = (await hasLogo(db, request.userId, id)) && (await findLogo(db, id))
    if (!picture) throw new AppError('not_found')
    return reply
      .header('cache-control', FOR_EVER)
      .type('image/png')
      .send(await logoFile(picture))
  })

  app.delete('/api/logos/:id', { schema: { params: logoParams } }, async (request, reply) => {
    const { userId, params } = request
    await transact(db, async (tx) => {
      await lockAccount(tx, userId)
      const names = await codesWithLogo(tx, userId, params.id)
      if (names.length > 0) throw new AppError('logo_in_use', inUse(names))
      const styles = await stylesWithLogo(tx, userId, params.id)
      if (styles.length > 0) throw new AppError('logo_in_use', inStyles(styles))
      if (!(await removeLogo(tx, userId, params.id))) throw new AppError('not_found')
    })
    return reply.code(204).send()
  })
}

const shown = ({ id, name, width, height, reach, created_at }: LogoRow): Logo => ({
  id,
  name,
  width,
  height,
  reach,
  createdAt: new Date(created_at).toISOString(),
})

function refuseTooMany(kept: readonly LogoRow[], row: LogoRow) {
  const bytes = kept.reduce((sum, { size }) => sum + size, row.size)
  if (kept.length < LOGOS_MAX && bytes <= LOGOS_MAX_BYTES) return
  throw new AppError('logos_full')
}

/** Names some of the codes, so that they can be found. */
function inUse(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `“${name}”`)
  const more = names.length > quoted.length ? ' and others' : ''
  return `${quoted.join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} this logo. Choose another one there first.`
}

function inStyles([name, ...more]: readonly string[]): string {
  if (more.length === 0) return `Your style “${name}” has this logo. Delete the style first.`
  return `Your style “${name}” and others have this logo. Delete these styles first.`
}
