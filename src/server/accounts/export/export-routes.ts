import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { otherEvents, securityEvents, workspaceEvents } from '#contract/accounts/audit.ts'
import { type Actor, programOf, sessionOf } from '../../actor.ts'
import { listEvents } from '../../audit.ts'
import type { Db } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { count } from '../../http/limits/counts-store.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { contactsOf, ownWorkspaceOf } from '../../memberships.ts'
import { attachment } from '../../pictures/file-names.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { exportedLetter } from '../letters.ts'
import { keysOf, presentKey } from '../programs/keys-store.ts'
import { ownAccount } from '../users-store.ts'
import { type Export, type ExportSources, exportFiles, fileCount } from './export-files.ts'

/** Entries of the history in an export, newest first */
const HISTORY_MAX = 10_000
const EXPORTED = [...securityEvents, ...otherEvents]

/** GET /api/account/export: everything that an account holds, in one ZIP that is made while it is sent. */
export async function exportRoutes(
  app: FastifyInstance,
  deps: AccountDeps & { exportSources: ExportSources },
) {
  const { db, clock, exportSources: sources } = deps
  const turns = new FairQueue(queues.exports)
  app.addHook('onRequest', deps.requireUser)

  // A HEAD would make the whole archive and throw it away.
  const whole = {
    config: { origin: 'own' as const, key: 'read' as const },
    exposeHeadRoute: false,
  }
  app.get('/api/account/export', whole, async (request, reply) => {
    const { actor } = request
    const [session, program] = [sessionOf(request), programOf(request)]
    await queueUntilAnswered(turns, request, reply)
    // A visitor of the live demo has neither: this export is not counted, recorded or mailed.
    if (session || program) await count(db, 'exports', actor.workspaceId, clock())
    // The owner has had a mail about the key, and gets none for each nightly backup.
    if (program) await deps.record(db, request.actor, 'exported')
    if (session) {
      await changeAccount(deps, request.actor, ({ report }) => report('exported', exportedLetter))
    }
    const codes = await sources.codeCount(actor.workspaceId)
    const owned = {
      logos: await sources.logosOf(actor.workspaceId),
      domains: await sources.domainsOf(actor.workspaceId),
    }
    const zip = zipStream(exportFiles(exportOf(request, owned)), clock())
    return reply
      .type('application/zip')
      .header('cache-control', 'private, no-store')
      .header('x-total-files', fileCount(codes, owned))
      .header(
        'content-disposition',
        attachment(`tessera-${clock().toISOString().slice(0, 10)}.zip`),
      )
      .send(Readable.from(zip, { objectMode: false }))
  })

  function exportOf(request: FastifyRequest, owned: Pick<Export, 'logos' | 'domains'>): Export {
    const { actor, rateLimitKey } = request
    return {
      workspaceId: actor.workspaceId,
      publicUrl: deps.publicUrl,
      now: clock(),
      ...owned,
      sources,
      account: async () => ({
        ...(await accountOf(db, actor)),
        figureMails: await sources.figureMailsOf(actor.workspaceId),
        apiKeys: (await keysOf(db, actor.workspaceId)).map(presentKey),
      }),
      history: async () => {
        const { personId: user_id, workspaceId: workspace_id } = actor
        const isOwn = (await ownWorkspaceOf(db, user_id)) === workspace_id
        const own = isOwn ? await listEvents(db, { user_id }, EXPORTED, HISTORY_MAX) : []
        const known = new Set(own.map(({ id }) => id))
        const others = await listEvents(db, { workspace_id }, workspaceEvents, HISTORY_MAX)
        // Leaves out the addresses and devices of other members.
        const more = others.flatMap((event) =>
          known.has(event.id) ? [] : { ...event, address: null, device: null },
        )
        return [...own, ...more]
          .sort((one, other) => other.at - one.at)
          .map(({ at, ...event }) => ({ at: iso(at), ...event }))
      },
      inTurn: (read) => sources.inListTurn(request, read),
      asker: { owner: rateLimitKey, signal: hangUpSignal(request), isExempt: true },
    }
  }
}

async function accountOf(db: Db, { personId, workspaceId }: Actor) {
  const account = await ownAccount(db, personId)
  const { id, email, name, firstName, lastName, timeZone, locale, emailVerified } = account
  const shownOnCodes = (await contactsOf(db, [workspaceId])).get(workspaceId)
  return { id, email, name, firstName, lastName, timeZone, locale, emailVerified, shownOnCodes }
}
