import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import type { Job } from '../../jobs.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { unlessOwn } from '../../memberships.ts'
import type { CodesFor } from '../query/query.ts'
import type { SilencesOf } from '../query/silences.ts'
import { dueFigureMails, type FigureMailRow, moveOn } from './figure-mails-store.ts'
import { figuresLetter } from './figures-letter.ts'
import { type CountDeps, mailFigures, newlySilent } from './mail-figures.ts'
import { latestPeriod, nextTurn } from './mail-times.ts'

/** The reader of a mail. An address may be a stranger's until its owner has proved it. */
export type Reader = {
  id: PersonId
  email: string
  emailVerified: boolean
  deletionAt: number | null
  locale: string | null
}

export type FigureMailsDeps = CountDeps & {
  db: Db
  log: FastifyBaseLogger
  mailer: Mailer
  publicUrl: string
  codesFor: CodesFor
  silencesOf: SilencesOf
  readerOf: (workspaceId: WorkspaceId) => Promise<Reader | undefined>
  /** Whether the account's plan has mails of figures now. */
  isPaid: (db: Db, workspaceId: WorkspaceId) => Promise<boolean>
  /** The address that ends these mails of an account with one click. */
  unsubscribeUrl: (personId: PersonId) => string
  /** Brings the scans that were answered into the numbers. Returns false on a timeout. */
  flush: (limitMs: number) => Promise<boolean>
}

/** As often as the runner looks. */
const EVERY_MS = 25_000
/** Other jobs wait while this one runs; the accounts that are left come in the next run. */
const RUN_MS = 5_000
const ACCOUNTS_A_RUN = 200
/** An account whose figures could not be counted waits this time. */
const PAUSE_MS = 15 * MINUTE_MS
/** A mail that a mail server does not take within this time is old news. */
const LIFE_MS = 2 * DAY_MS

/**
 * Mails accounts the figures of the week or month that is over, each period once: the row that says so
 * moves on in the transaction that queues the mail. After a time in which no server ran, only the last
 * period is sent. Accounts that may not be mailed now are passed over; once they may, the next period comes.
 */
export function sendFigureMails(deps: FigureMailsDeps): Job {
  const { db, clock, log, mailer } = deps

  async function run() {
    const due = await dueFigureMails(db, clock(), ACCOUNTS_A_RUN)
    if (due.length === 0 || !(await deps.flush(RUN_MS))) return
    const end = performance.now() + RUN_MS
    for (const row of due) {
      await handle(row).catch((error) => later(row, error))
      if (performance.now() > end) break
    }
    mailer.soon()
  }

  async function handle(row: FigureMailRow) {
    const { workspace_id: workspaceId, every, time_zone: zone, told_until: toldUntil } = row
    const now = clock()
    const days = latestPeriod(every, zone, now)
    const next = { told_until: days.last, next_at: nextTurn(every, zone, now).getTime() }
    const mail = days.last > toldUntil ? await mailFor(row, days) : undefined
    await transact(db, async (tx) => {
      if (!(await moveOn(tx, row, next)) || !mail) return
      if (!(await deps.isPaid(tx, workspaceId))) return
      if (!(await mailer.queue(tx, mail))) throw new Error('the queue of mails is full')
    })
  }

  async function mailFor(row: FigureMailRow, days: { first: string; last: string }) {
    const { workspace_id: workspaceId, every, time_zone: zone } = row
    const reader = await deps.readerOf(workspaceId)
    if (!reader?.emailVerified || reader.deletionAt !== null) return undefined
    if (!(await deps.isPaid(db, workspaceId))) return undefined
    const codes = await deps.codesFor(workspaceId)
    if (codes.length === 0) return undefined
    const figures = await mailFigures(deps, { workspaceId, codes, days, zone })
    const asked = { workspaceId, codes, days }
    const silent = await newlySilent(deps.silencesOf, asked, row.told_until)
    const unsubscribe = deps.unsubscribeUrl(reader.id)
    const opens = await unlessOwn(db, { personId: reader.id, workspaceId })
    const place = { locale: reader.locale, publicUrl: deps.publicUrl, unsubscribe, opens }
    const letter = figuresLetter(figures, { every, days, zone, silent, ...place })
    return { kind: 'figures', to: reader.email, letter, lifeMs: LIFE_MS }
  }

  async function later(row: FigureMailRow, error: unknown) {
    log.warn({ err: error, workspaceId: row.workspace_id }, 'a mail of figures waits')
    await moveOn(db, row, { next_at: clock().getTime() + PAUSE_MS })
  }

  return { name: 'figure-mails', everyMs: EVERY_MS, run }
}
