import type { NoticeKind } from '#contract/accounts/account-settings.ts'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import type { PaidInvoice, PlanNotice } from '../../billing/types.ts'
import type { DeadCode, EndingCode } from '../../codes/types.ts'
import { NOBODY, type WorkspaceId } from '../../database/ids.ts'
import { addNew } from '../../database/rows.ts'
import { findMark } from '../../database/service-marks.ts'
import { transact } from '../../database/transact.ts'
import { localTime } from '../../dates.ts'
import type { Job } from '../../jobs.ts'
import type { Letter } from '../../mail/mail-template.ts'
import { ownerOf, ownersOf } from '../../memberships.ts'
import type { AccountDeps } from '../account-deps.ts'
import { codesEndLetter, deadCodesLetter, planLetter, receiptLetter } from './notice-letters.ts'
import { type Recipient, recipients, sentOf, sweepNotices } from './notices-store.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** A batch of accounts: those after one, in the order of their ids, up to a limit */
type Part = { after: string; limit: number }

export type NoticesDeps = Pick<AccountDeps, 'db' | 'clock' | 'mailer' | 'publicUrl' | 'secret'> & {
  /** Working codes that end between two instants, by account. */
  endingCodes: (part: Part & { from: number; until: number }) => Promise<EndingCode[]>
  /** Codes whose destination is dead, by account. */
  deadCodes: (part: Part) => Promise<DeadCode[]>
  planNotices: (part: Part & { now: Date }) => Promise<PlanNotice[]>
}

const EVERY_MS = 30 * MINUTE_MS
const ACCOUNTS_AT_ONCE = 200

/** A mail to one account: the things that it is about, and its letter; without one it only counts as sent. */
type Notice = {
  kind: NoticeKind | 'receipt'
  abouts: string[]
  letter: Letter | undefined
  lifeMs: number
}

/** Mails a notice, unless its recipient has got it before. @throws if the queue of mails is full */
async function sendNotice(
  { db, clock, mailer }: Pick<AccountDeps, 'db' | 'clock' | 'mailer'>,
  { id, email }: Recipient,
  { kind, abouts, letter, lifeMs }: Notice,
): Promise<void> {
  await transact(db, async (tx) => {
    const sent_at = clock().getTime()
    const rows = abouts.map((about) => ({ user_id: id, kind, about, sent_at }))
    if (!(await addNew(tx, 'notices', rows)) || !letter) return
    if (await mailer.queue(tx, { kind, to: email, letter, lifeMs })) return
    throw new Error('the queue of mails is full; notices wait')
  })
}

/**
 * The job that mails what users should know in time and may switch off: each thing once, at most one
 * mail a day, and by day. The end of codes comes before plans, because it cannot wait.
 */
export function sendNotices(deps: NoticesDeps): Job {
  const { db, clock } = deps

  async function run() {
    await sweepNotices(db, clock())
    await inParts((part) => {
      const now = clock().getTime()
      return deps.endingCodes({ ...part, from: now, until: now + LOOK_AHEAD_MS })
    }, codesNotice)
    await inParts(deps.deadCodes, deadNotice)
    await inParts((part) => deps.planNotices({ ...part, now: clock() }), planNotice)
  }

  async function inParts<Item extends { workspaceId: WorkspaceId }>(
    read: (part: Part) => Promise<Item[]>,
    noticeOf: (items: Item[], recipient: Recipient) => Notice | undefined,
  ) {
    let after = ''
    for (;;) {
      const items = await read({ after, limit: ACCOUNTS_AT_ONCE })
      const owners = await ownersOf(
        db,
        items.map(({ workspaceId }) => workspaceId),
      )
      const byId = new Map(
        (await recipients(db, [...owners.values()])).map((recipient) => [recipient.id, recipient]),
      )
      // A mail is about one workspace, which its links open.
      for (const [id, its] of Map.groupBy(items, ({ workspaceId }) => workspaceId)) {
        const recipient = byId.get(owners.get(id) ?? NOBODY)
        if (!recipient || !mayGetMail(recipient, clock())) continue
        const notice = noticeOf(its, recipient)
        if (!notice) continue
        await sendNotice(deps, recipient, notice)
        recipient.lastSentAt = clock().getTime()
      }
      const last = items.at(-1)
      if (!last) return
      after = last.workspaceId
    }
  }

  function codesNotice(codes: EndingCode[], recipient: Recipient): Notice | undefined {
    const { zone } = recipient
    const kind = 'code-ends'
    if (recipient.off.includes(kind)) return undefined
    const now = clock()
    const due = dueCodes(codes, { sent: sentOf(recipient, kind), now, zone })
    const [first] = due
    if (!first) return undefined
    const letter = codesEndLetter(
      due.map(({ code }) => code),
      { ...placeOf(recipient, kind, first.code), isProved: recipient.isProved },
    )
    const lifeMs = first.code.expiresAt - now.getTime()
    return { kind, abouts: due.map(({ about }) => about), letter, lifeMs }
  }

  /** One mail about all that are dead and were not told: each once, unless it dies again. */
  function deadNotice(codes: DeadCode[], recipient: Recipient): Notice | undefined {
    const kind = 'destination-dead'
    if (recipient.off.includes(kind)) return undefined
    const sent = sentOf(recipient, kind)
    const aboutOf = ({ id, since }: DeadCode) => `${id} ${since}`
    const due = codes.filter((code) => !sent.has(aboutOf(code)))
    const [first] = due
    if (!first) return undefined
    const letter = deadCodesLetter(due, {
      ...placeOf(recipient, kind, first),
      isProved: recipient.isProved,
    })
    return { kind, abouts: due.map(aboutOf), letter, lifeMs: 2 * DAY_MS }
  }

  function planNotice([notice]: PlanNotice[], recipient: Recipient): Notice | undefined {
    if (!notice || recipient.off.includes(notice.kind)) return undefined
    const { kind, about } = notice
    if (sentOf(recipient, kind).has(about)) return undefined
    const place = placeOf(recipient, kind, notice)
    const letter = planLetter(notice, place)
    return { kind, abouts: [about], letter, lifeMs: 2 * DAY_MS }
  }

  function placeOf(
    recipient: Recipient,
    kind: NoticeKind,
    { workspaceId }: { workspaceId: WorkspaceId },
  ) {
    const { id, zone, locale } = recipient
    return {
      workspaceId: unlessTheirs(recipient, workspaceId),
      zone,
      locale,
      publicUrl: deps.publicUrl,
      unsubscribe: unsubscribeUrl(deps, { userId: id, kind }),
    }
  }

  return { name: 'send-notices', everyMs: EVERY_MS, run }
}

/** The workspace as a link has to name it */
const unlessTheirs = ({ own }: Recipient, workspaceId: WorkspaceId) =>
  own === workspaceId ? undefined : workspaceId

/** The hours in which notices are sent: from the first up to but not including the last */
const CIVIL = { from: 9, to: 20 }

export const isCivilHour = (hour: number) => hour >= CIVIL.from && hour < CIVIL.to

/** At most one mail a day, by the recipient's time zone. */
function mayGetMail({ zone, lastSentAt }: Recipient, now: Date): boolean {
  const here = localTime(now, zone)
  if (!isCivilHour(here.hour)) return false
  return lastSentAt === null || localTime(lastSentAt, zone).date !== here.date
}

/** The days before a code's end on which its owner gets a mail */
const STAGES = [1, 3] as const
type Stage = (typeof STAGES)[number]

/** How far ahead the rule looks: the first stage, and the day whose codes share a mail. */
export const LOOK_AHEAD_MS = 4 * DAY_MS

/** A code in a mail. `about` names the code and the stage, so that each is mailed once. */
type DueCode = { about: string; code: EndingCode }

/**
 * The codes that an owner gets a mail about now: those whose end is near and that were not mailed at
 * this stage, and all others that end on the same day, so that they share the mail.
 * @param sent what was mailed before
 */
export function dueCodes(
  codes: EndingCode[],
  { sent, now, zone }: { sent: ReadonlySet<string>; now: Date; zone: string | null },
): DueCode[] {
  const dayOf = (code: EndingCode) => localTime(code.expiresAt, zone).date
  const isNews = (code: EndingCode, stage: Stage) => !sent.has(aboutOf(code, stage))
  const stages = new Map<string, Stage>()
  for (const code of codes) {
    const stage = stageOf(code, now)
    if (!stage || !isNews(code, stage)) continue
    stages.set(dayOf(code), Math.min(stage, stages.get(dayOf(code)) ?? stage) as Stage)
  }
  return codes.flatMap((code) => {
    const stage = stages.get(dayOf(code))
    return stage && isNews(code, stage) ? [{ about: aboutOf(code, stage), code }] : []
  })
}

function stageOf({ expiresAt }: EndingCode, now: Date): Stage | undefined {
  const left = expiresAt - now.getTime()
  return left > 0 ? STAGES.find((days) => left <= days * DAY_MS) : undefined
}

const aboutOf = ({ id }: EndingCode, stage: Stage) => `${id} ${stage}`

/** Older payments get no receipt: their readers have looked elsewhere. */
const RECENT_MS = 3 * DAY_MS
const RECEIPT_LIFE_MS = 7 * DAY_MS

type ReceiptDeps = Pick<AccountDeps, 'db' | 'clock' | 'log' | 'config' | 'publicUrl' | 'mailer'>

/**
 * Mails a receipt for each paid invoice, once and at any hour. With STRIPE_MAILS=on it only marks them, so that
 * there are not two of one when that is switched off.
 */
export function receiptMails(deps: ReceiptDeps) {
  const { db, clock, log, config, publicUrl } = deps

  async function mail(recipient: Recipient, id: WorkspaceId, invoice: PaidInvoice) {
    const place = { ...recipient, publicUrl, workspaceId: unlessTheirs(recipient, id) }
    const letter = config.stripeMails ? undefined : receiptLetter(invoice, place)
    const about = { kind: 'receipt' as const, abouts: [invoice.id] }
    await sendNotice(deps, recipient, { ...about, letter, lifeMs: RECEIPT_LIFE_MS })
  }

  return async (workspaceId: WorkspaceId, invoices: PaidInvoice[]): Promise<void> => {
    const recent = clock().getTime() - RECENT_MS
    const due = invoices.filter(({ amount, paidAt }) => amount > 0 && paidAt >= recent)
    if (due.length === 0) return
    try {
      const since = (await findMark(db, 'receipts'))?.at ?? Number.POSITIVE_INFINITY
      const [recipient] = await recipients(db, [await ownerOf(db, workspaceId)])
      for (const invoice of due) {
        if (recipient && invoice.paidAt >= since) await mail(recipient, workspaceId, invoice)
      }
    } catch (error) {
      log.warn(
        { err: error, workspaceId },
        'a receipt was not mailed; the next read tries it again',
      )
    }
  }
}
