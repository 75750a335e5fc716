import { binQuery, wholeOrPart } from '#contract/codes/codes.ts'
import { newTag, tag, tagChange, tagged, taggedCodes } from '#contract/codes/tags.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { SERIES_BODY_MAX } from '#contract/series/series.ts'
import { idParams } from '#contract/zod.ts'
import { partOfList } from '../../http/lists.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import { changeTag, deleteTag, makeTag, presentTag, tagCodes } from './tags.ts'
import { codesByTag, listTags } from './tags-store.ts'

/** The tags of an account, and their use for many codes at once. */
export function tagRoutes(app: Api, deps: CodeRoutesDeps) {
  const list = { schema: { querystring: binQuery, response: { 200: wholeOrPart(tag) } } }
  app.get('/api/tags', list, async ({ actor, query }) => {
    const codes = await codesByTag(deps.db, actor.workspaceId)
    const tags = (await listTags(deps.db, actor.workspaceId)).map((row) => presentTag(row, codes))
    return partOfList(tags, query)
  })

  app.post(
    '/api/tags',
    { schema: { headers: onceHeaders, body: newTag, response: { 201: tag } } },
    async (request, reply) => {
      const row = await makeTag(deps, request.actor, request.body)
      return reply.code(201).send(presentTag(row, new Map()))
    },
  )

  app.patch(
    '/api/tags/:id',
    { schema: { params: idParams, body: tagChange, response: { 200: tag } } },
    async ({ actor, params, body }) => {
      const row = await changeTag(deps, actor, params.id, body)
      return presentTag(row, await codesByTag(deps.db, actor.workspaceId))
    },
  )

  app.delete('/api/tags/:id', { schema: { params: idParams } }, async (request, reply) => {
    await deleteTag(deps, request.actor, request.params.id)
    return reply.code(204).send()
  })

  app.post(
    '/api/tags/:id/codes',
    {
      bodyLimit: SERIES_BODY_MAX,
      schema: { params: idParams, body: taggedCodes, response: { 200: tagged } },
    },
    async (request) => {
      const { actor, params, body } = request
      const run = () => tagCodes(deps, actor, params.id, body)
      return { changed: await deps.inListTurn(request, run) }
    },
  )
}
