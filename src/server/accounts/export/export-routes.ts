import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { otherEvents, securityEvents } from '#contract/audit.ts'
import type { BinnedCode } from '#contract/codes.ts'
import { listEvents } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { hangUpSignal, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import { attachment } from '../../pictures/file-names.ts'
import type { Picture } from '../../pictures/pictures.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import { recordAndTell } from '../account-events.ts'
import { keysOf, presentKey } from '../keys/keys-store.ts'
import { exportedLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { findAccount } from '../users-store.ts'
import {
  type DayScans,
  fileCount,
  type LeavingCode,
  type LeavingLogo,
  type LeavingSource,
  leavingFiles,
} from './leaving-files.ts'

/** What the other rooms hold of an account. */
export type ExportSources = {
  codeCount: (userId: string) => Promise<number>
  codesAfter: (userId: string, last: LeavingCode | undefined) => Promise<LeavingCode[]>
  binned: (userId: string) => Promise<BinnedCode[]>
  stylesOf: (userId: string) => Promise<unknown[]>
  importsOf: (userId: string) => Promise<unknown[]>
  tagsOf: (userId: string) => Promise<unknown[]>
  logosOf: (userId: string) => Promise<LeavingLogo[]>
  logoFile: (id: string) => Promise<Uint8Array | undefined>
  scansOf: (codeIds: string[]) => Promise<Map<string, number>>
  scansByDay: (codeId: string) => Promise<DayScans[]>
  planOf: (userId: string) => Promise<unknown>
  /** How often the account is mailed its figures */
  figureMailsOf: (userId: string) => Promise<string>
  draw: (picture: Picture, asker: Asker) => Promise<{ bytes: Uint8Array }>
  inListTurn: InTurn
}

type Deps = {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string }
  requireUser: onRequestHookHandler
  exportSources: ExportSources
}

/** Entries of the history that are taken along, newest first. */
const HISTORY_MAX = 10_000

/** GET /api/account/export: everything that an account holds, in one ZIP that is made while it is sent. */
export async function exportRoutes(app: FastifyInstance, deps: Deps) {
  const { db, clock, exportSources, config } = deps
  const turns = new FairQueue(queues.exports)
  app.addHook('onRequest', deps.requireUser)

  // A HEAD would make the whole archive for nobody.
  const whole = { config: { origin: 'own' as const }, exposeHeadRoute: false }
  app.get('/api/account/export', whole, async (request, reply) => {
    const { userId, session } = request
    await queueUntilAnswered(turns, request, reply)
    // Who looks at the live demo has no session: the archive leaves no trace and is nobody else's loss.
    if (session) {
      await count(db, 'exports', userId, clock())
      await tellOwner(request)
    }
    const codes = await exportSources.codeCount(userId)
    const logos = await exportSources.logosOf(userId)
    const zip = zipStream(leavingFiles(sourceFor(request, logos)), clock())
    return reply
      .type('application/zip')
      .header('cache-control', 'private, no-store')
      .header('x-total-files', fileCount(codes, logos.length))
      .header('content-disposition', attachment(`tessera-${dateOf(clock())}.zip`))
      .send(Readable.from(zip, { objectMode: false }))
  })

  async function tellOwner(request: FastifyRequest) {
    const account = await findAccount(db, { id: request.userId })
    if (!account) throw new AppError('unauthorized')
    const told = {
      event: 'exported',
      account,
      origin: originOf(request),
      letter: exportedLetter,
    } as const
    await transact(db, (tx) => recordAndTell(tx, deps, told))
    deps.mailer.soon()
  }

  /** Each part waits for the account's turn, and is not made where the client has hung up. */
  function sourceFor(request: FastifyRequest, logos: LeavingLogo[]): LeavingSource {
    const { userId, rateLimitKey } = request
    const inTurn = <T>(read: () => Promise<T>) => exportSources.inListTurn(request, read)
    const asker = { owner: rateLimitKey, signal: hangUpSignal(request), isExempt: true }
    return {
      ...{ publicUrl: config.publicUrl, now: clock() },
      codesAfter: (last) => inTurn(() => exportSources.codesAfter(userId, last)),
      binned: () => inTurn(() => exportSources.binned(userId)),
      styles: () => inTurn(() => exportSources.stylesOf(userId)),
      imports: () => inTurn(() => exportSources.importsOf(userId)),
      tags: () => inTurn(() => exportSources.tagsOf(userId)),
      logos,
      logoFile: (id) => inTurn(() => exportSources.logoFile(id)),
      scansOf: (ids) => inTurn(() => exportSources.scansOf(ids)),
      scansByDay: (id) => inTurn(() => exportSources.scansByDay(id)),
      account: async () => ({
        ...(await accountOf(db, userId)),
        figureMails: await exportSources.figureMailsOf(userId),
        apiKeys: (await keysOf(db, userId)).map(presentKey),
      }),
      plan: () => exportSources.planOf(userId),
      history: () => inTurn(() => historyOf(db, userId)),
      draw: async (picture) => (await exportSources.draw(picture, asker)).bytes,
    }
  }
}

async function accountOf(db: Db, userId: string) {
  const account = await findAccount(db, { id: userId })
  if (!account) throw new AppError('unauthorized')
  const { id, email, name, firstName, lastName, timeZone, emailVerified } = account
  return { id, email, name, firstName, lastName, timeZone, emailVerified }
}

async function historyOf(db: Db, userId: string) {
  const events = await listEvents(db, userId, [...securityEvents, ...otherEvents], HISTORY_MAX)
  return events.map(({ at, ...event }) => ({ at: new Date(at).toISOString(), ...event }))
}

const dateOf = (instant: Date) => instant.toISOString().slice(0, 10)
