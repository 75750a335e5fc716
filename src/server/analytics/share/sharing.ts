import { createHmac, hash, randomUUID } from 'node:crypto'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import { shareDays } from '#contract/analytics/figure-values.ts'
import {
  type newShare,
  SHARES_EACH,
  SHARES_MAX,
  type Share,
  type ShareList,
} from '#contract/analytics/shares.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { z } from '#contract/zod.ts'
import { type Actor, makeAs, transactAs } from '../../actor.ts'
import type { Recording } from '../../audit.ts'
import { type Clock, isAhead } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { BATCH, inBatches } from '../../database/transact.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import type { Job } from '../../jobs.ts'
import type { CountedCode } from '../query/query.ts'
import {
  changeShare,
  findShare,
  removeEnded,
  removeShare,
  resumeShare,
  type ShareRow,
  sharesOf,
} from './shares-store.ts'

export type SharingDeps = {
  db: Db
  /** Waits for no writer and no report. */
  lookups: Db
  clock: Clock
  /** Links' tokens are made with it. */
  secret: string
  publicUrl: string
  /** Whether the account's plan has shared pages now. */
  isPaid: (db: Db, workspaceId: WorkspaceId) => Promise<boolean>
  /** The account's listed code with this id. @throws AppError code_not_found */
  ownCode: (db: Db, workspaceId: WorkspaceId, id: string) => Promise<CountedCode>
  record: Recording<Extract<AuditEvent, `page-${string}`>>
}

/** A shared page: its link lets people read the figures of this code of this account. */
export type Shared = {
  id: string
  workspaceId: WorkspaceId
  code: CountedCode
  endsAt: number
  openedAt: number | null
}

const LONGEST_MS = Math.max(...shareDays) * DAY_MS
/** A page that is being looked at is written down so often. */
const OPENED_EACH_MS = 10 * MINUTE_MS

export type Sharing = ReturnType<typeof sharingOf>

/** Pages that accounts on a paid plan share by a link. On a lapse they rest, and go on with the plan. */
export function sharingOf(deps: SharingDeps) {
  const { db, lookups, clock, secret, publicUrl, isPaid, ownCode, record } = deps

  /** @throws AppError code_not_found */
  async function list(workspaceId: WorkspaceId, codeId: string): Promise<ShareList> {
    const { id } = await ownCode(lookups, workspaceId, codeId)
    const rows = await sharesOf(lookups, workspaceId, clock())
    return {
      isInPlan: await isPaid(lookups, workspaceId),
      shares: rows.filter(({ code_id }) => code_id === id).map((row) => present(row)),
    }
  }

  /** @throws AppError code_not_found, share_not_in_plan, shares_full, idempotency_key_reused */
  async function make(actor: Actor, sharedId: string, { days, note }: z.output<typeof newShare>) {
    const { workspaceId } = actor
    const row = await makeAs(db, actor, async (tx) => {
      const codeId = (await ownCode(tx, workspaceId, sharedId)).id
      if (!(await isPaid(tx, workspaceId))) throw new AppError('share_not_in_plan')
      const now = clock()
      const others = await sharesOf(tx, workspaceId, now)
      const ofCode = others.filter(({ code_id }) => code_id === codeId)
      if (ofCode.length >= SHARES_EACH) throw new AppError('shares_full')
      if (others.length >= SHARES_MAX) throw accountFull()
      const [id, at] = [randomUUID(), now.getTime()]
      const row = {
        id,
        workspace_id: workspaceId,
        code_id: codeId,
        note,
        hash: hashOfToken(tokenOf(secret, id)),
        opened_at: null,
        paused_at: null,
        made_at: at,
        ends_at: at + days * DAY_MS,
      }
      await tx.insertInto('shares').values(row).execute()
      await record(tx, actor, 'page-shared', codeId)
      return row
    })
    return present(row)
  }

  /** Ends a share at once, on every plan. @throws AppError share_not_found */
  async function end(actor: Actor, id: string): Promise<void> {
    await transactAs(db, actor, async (tx) => {
      const row = await removeShare(tx, actor.workspaceId, id)
      if (!row) throw new AppError('share_not_found')
      await record(tx, actor, 'page-unshared', row.code_id)
    })
  }

  /** Turns a share on that a restore has paused, on every plan. @throws AppError share_not_found */
  async function resume(actor: Actor, id: string): Promise<void> {
    await transactAs(db, actor, async (tx) => {
      const row = await resumeShare(tx, actor.workspaceId, id)
      if (!row) throw new AppError('share_not_found', 'This link has ended or was stopped.')
      if (row.paused_at !== null) await record(tx, actor, 'page-share-resumed', row.code_id)
    })
  }

  /**
   * The code that the holder of a link may read. A share that was never made, has ended, was stopped, is
   * paused, or rests with its code or its owner's plan, is undefined: strangers learn no more.
   */
  async function find(token: string): Promise<Shared | undefined> {
    const row = await findShare(lookups, hashOfToken(token))
    if (!row || row.paused_at !== null) return undefined
    if (!isAhead(row.ends_at, LONGEST_MS, clock())) return undefined
    const { id, workspace_id: workspaceId } = row
    if (!(await isPaid(lookups, workspaceId))) return undefined
    const code = await ownCode(lookups, workspaceId, row.code_id).catch(unlessGone)
    if (!code) return undefined
    return {
      id,
      workspaceId,
      code: { id: code.id, name: code.name, url: code.url },
      endsAt: row.ends_at,
      openedAt: row.opened_at,
    }
  }

  /** Keeps when the page was last looked at. */
  async function noteOpened({ id, openedAt }: Shared): Promise<void> {
    const now = clock()
    if (openedAt !== null && isAhead(openedAt + OPENED_EACH_MS, OPENED_EACH_MS, now)) return
    await changeShare(db, id, { opened_at: now.getTime() })
  }

  function present({ id, hash, note, made_at, ends_at, opened_at, paused_at }: ShareRow): Share {
    const token = tokenOf(secret, id)
    return {
      id,
      note,
      madeAt: iso(made_at),
      endsAt: iso(ends_at),
      link: hashOfToken(token) === hash ? linkOf(publicUrl, token) : null,
      lastOpenedAt: iso(opened_at),
      pausedAt: iso(paused_at),
    }
  }

  return { list, make, end, resume, find, noteOpened }
}

const accountFull = () =>
  new AppError(
    'shares_full',
    `Your account has ${SHARES_MAX} links already. Revoke one of them to make another.`,
  )

function unlessGone(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'code_not_found')) throw error
}

/**
 * The token of a shared page's link: 256 bits, 43 characters. It is made from the share's id with the
 * server's secret, so that its owner can copy the link again while the database has only its hash.
 */
function tokenOf(secret: string, shareId: string): string {
  return createHmac('sha256', secret).update(`shared page ${shareId}`).digest('base64url')
}

/** The database has only this of a token. */
const hashOfToken = (token: string) => hash('sha256', `share:${token}`, 'base64url')

/** The address of a shared page. */
const linkOf = (publicUrl: string, token: string) => `${publicUrl}/s/${token}`

/** Removes shares that have ended. */
export function sweepShares({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'sweep-shares',
    everyMs: HOUR_MS,
    run: () => inBatches(() => removeEnded(db, clock(), BATCH)),
  }
}
