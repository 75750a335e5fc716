import type { FastifyReply, FastifyRequest } from 'fastify'
import { binQuery, wholeOrPart } from '#contract/codes/codes.ts'
import {
  LOGO_MAX_BYTES,
  type Logo,
  logo,
  logoParams,
  logoQuery,
} from '#contract/pictures/artwork.ts'
import {
  keptStyle,
  newStyle,
  styleApplied,
  styleChange,
  styledCodes,
} from '#contract/pictures/styles.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { SERIES_BODY_MAX } from '#contract/series/series.ts'
import { idParams } from '#contract/zod.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { partOfList } from '../../http/lists.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import {
  deleteLogo,
  findLogo,
  hasLogo,
  keepLogo,
  type LogoRow,
  listLogos,
  logoFile,
} from './logos.ts'
import { applyStyle, changeStyle, deleteStyle, makeStyle, presentStyle } from './styles.ts'
import { listStyles } from './styles-store.ts'

/** The styles that an account keeps, and their use for many codes at once. */
export async function styleRoutes(app: Api, deps: CodeRoutesDeps) {
  await app.register(async (scope) => logoRoutes(scope, deps))

  const list = { schema: { querystring: binQuery, response: { 200: wholeOrPart(keptStyle) } } }
  app.get('/api/looks', list, async ({ actor, query }) =>
    partOfList((await listStyles(deps.db, actor.workspaceId)).map(presentStyle), query),
  )

  app.post(
    '/api/looks',
    { schema: { headers: onceHeaders, body: newStyle, response: { 201: keptStyle } } },
    async (request, reply) => {
      const row = await makeStyle(deps, request.actor, request.body)
      return reply.code(201).send(presentStyle(row))
    },
  )

  app.patch(
    '/api/looks/:id',
    { schema: { params: idParams, body: styleChange, response: { 200: keptStyle } } },
    async ({ actor, params, body }) =>
      presentStyle(await changeStyle(deps, actor, params.id, body)),
  )

  app.delete('/api/looks/:id', { schema: { params: idParams } }, async (request, reply) => {
    await deleteStyle(deps, request.actor, request.params.id)
    return reply.code(204).send()
  })

  app.post(
    '/api/looks/:id/apply',
    {
      bodyLimit: SERIES_BODY_MAX,
      schema: { params: idParams, body: styledCodes, response: { 200: styleApplied } },
    },
    async (request) => {
      const { actor, params, body } = request
      const apply = () => applyStyle(deps, actor, params.id, body.ids)
      return { changed: await deps.inListTurn(request, apply) }
    },
  )
}

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
/** An id names one picture for ever. */
const FOR_EVER = 'private, max-age=31536000, immutable'

/** The logos of an account, which its codes' artwork can name. */
function logoRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, uploads } = deps
  takeFiles(app, TYPES, 'Send a picture: PNG, JPG, SVG, or WebP.')
  const sending = new FairQueue(queues.uploads)

  /** Before the file is read, so that an account fills no memory. */
  async function uploadTurn(request: FastifyRequest, reply: FastifyReply) {
    await queueUntilAnswered(sending, request, reply, request.actor.workspaceId)
  }

  const list = { schema: { querystring: binQuery, response: { 200: wholeOrPart(logo) } } }
  app.get('/api/logos', list, async ({ actor, query }) =>
    partOfList((await listLogos(db, actor.workspaceId)).map(shown), query),
  )

  app.post(
    '/api/logos',
    {
      onRequest: uploadTurn,
      bodyLimit: LOGO_MAX_BYTES,
      schema: { querystring: logoQuery, response: { 200: logo, 201: logo } },
    },
    async (request, reply) => {
      const { actor, body, query } = request
      const { hasArtwork } = await deps.entitlementsOf(db, actor.workspaceId)
      if (!hasArtwork) throw new AppError('artwork_not_in_plan')
      const file = body instanceof Uint8Array ? body : new Uint8Array()
      const picture = await uploads.logo(actor.workspaceId, file, hangUpSignal(request))
      const { row, isNew } = await keepLogo(deps, actor, query.name, picture)
      return reply.code(isNew ? 201 : 200).send(shown(row))
    },
  )

  app.get('/api/logos/:id', { schema: { params: logoParams } }, async (request, reply) => {
    const { id } = request.params
    const picture = (await hasLogo(db, request.actor.workspaceId, id)) && (await findLogo(db, id))
    if (!picture) throw new AppError('not_found')
    return reply
      .header('cache-control', FOR_EVER)
      .type('image/png')
      .send(await logoFile(picture))
  })

  app.delete('/api/logos/:id', { schema: { params: logoParams } }, async (request, reply) => {
    await deleteLogo(db, request.actor, request.params.id)
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
