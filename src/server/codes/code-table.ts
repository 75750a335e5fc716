import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { statusOf } from '#contract/codes/code-values.ts'
import {
  CODE_TABLE_BODY_MAX,
  codeTableAsked,
  codeTableQuery,
  codeTableTitles,
  designCell,
} from '#contract/codes/codes.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { figureFileName } from '#contract/file-names.ts'
import { shortLink } from '#contract/links.ts'
import { batchesOf } from '../batches.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { iso } from '../dates.ts'
import { queues } from '../http/limits/limits.ts'
import { FairQueue } from '../http/queue/fair-queue.ts'
import { queueUntilAnswered } from '../http/queue/request-queue.ts'
import { attachment } from '../pictures/file-names.ts'
import { listIds } from './code-lists.ts'
import { codeIdFrom, listedByIds } from './codes-store.ts'
import { formerPathsOf } from './paths-store.ts'
import { presentCourse, presentLook } from './presenter.ts'
import { tagsOf } from './tags/tags-store.ts'
import type { Api, CodeRoutesDeps } from './types.ts'

/** Codes that are read and written without a pause: below a millisecond of work. */
const PART = 100
const PATH = '/api/qr-codes/export.csv'

/** Codes with their scans as CSV: those of a list, or chosen ones. */
export function codeTableRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, clock, scansOf, inListTurn } = deps
  // One table of an account at a time
  const turns = new FairQueue(queues.codeTables)

  // A HEAD would make the whole table in vain.
  const ofList = {
    config: { origin: 'own' as const },
    exposeHeadRoute: false,
    schema: { querystring: codeTableQuery },
  }
  app.get(PATH, ofList, async (request, reply) => {
    await queueUntilAnswered(turns, request, reply)
    const { query, actor } = request
    const asked = { workspaceId: actor.workspaceId, query, now: clock(), publicUrl: deps.publicUrl }
    return send(request, reply, await inListTurn(request, () => listIds(db, scansOf, asked)))
  })

  // The body says which codes; nothing is changed.
  const chosen = { config: { key: 'read' as const }, bodyLimit: CODE_TABLE_BODY_MAX }
  app.post(PATH, { ...chosen, schema: { body: codeTableAsked } }, async (request, reply) => {
    const ids = [...new Set(request.body.ids.map(codeIdFrom))]
    await queueUntilAnswered(turns, request, reply)
    return send(request, reply, ids)
  })

  function send(request: FastifyRequest, reply: FastifyReply, ids: string[]) {
    const now = clock()
    const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length)
    const about = { name: undefined, what: 'qr-codes', from: today, to: today } as const
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(figureFileName(about, 'csv')))
      .send(Readable.from(tableOf(request, ids, now), { objectMode: false }))
  }

  /** The table, made while it is sent. Codes that are deleted in between are left out. */
  async function* tableOf(request: FastifyRequest, ids: string[], now: Date) {
    yield BYTE_ORDER_MARK + csvLine(codeTableTitles)
    for (const part of batchesOf(ids, PART)) {
      yield await inListTurn(request, () => linesOf(deps, request.actor.workspaceId, part, now))
    }
  }
}

async function linesOf(
  { db, publicUrl, scansOf, visitorsOf }: CodeRoutesDeps,
  workspaceId: WorkspaceId,
  ids: string[],
  now: Date,
): Promise<string> {
  const rows = await listedByIds(db, workspaceId, ids)
  const found = rows.map(({ id }) => id)
  const [scans, visitors] = [
    await scansOf(workspaceId, found),
    await visitorsOf(workspaceId, found),
  ]
  const tagsBy = await tagsOf(db, workspaceId, found)
  const formerBy = await formerPathsOf(db, found)
  const lines = rows.map((row) => {
    const status = {
      isActive: row.paused_at === null,
      expiresAt: iso(row.expires_at),
      endsAt: iso(row.ends_at),
    }
    const link = (name: string) => shortLink(name, row.domain, publicUrl)
    const former = (formerBy.get(row.id) ?? []).filter(({ domainId }) => domainId === row.domain_id)
    return csvLine([
      link(row.short_code),
      row.url,
      row.name,
      row.vanity_url === null ? '' : link(row.vanity_url),
      tagsBy(row).join(', '),
      scans.get(row.id)?.total ?? 0,
      visitors.get(row.id)?.[0] ?? 0,
      new Date(row.created_at).toISOString(),
      statusOf(status, now),
      former.map(({ name }) => link(name)).join(' '),
      row.external_id ?? '',
      designCell({ ...presentLook(row), ...presentCourse(row) }),
    ])
  })
  return lines.join('')
}
