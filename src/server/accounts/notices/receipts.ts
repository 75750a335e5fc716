import { DAY_MS } from '#contract/time.ts'
import type { PaidInvoice } from '../../billing/types.ts'
import { personOf, type WorkspaceId } from '../../database/ids.ts'
import { findMark } from '../../database/service-marks.ts'
import type { AccountDeps } from '../account-deps.ts'
import { receiptLetter } from './notice-letters.ts'
import { sendNotice } from './notices.ts'
import { type Recipient, recipients } from './notices-store.ts'

/** Older payments get no receipt: their readers have looked elsewhere. */
const RECENT_MS = 3 * DAY_MS
const LIFE_MS = 7 * DAY_MS

type Deps = Pick<AccountDeps, 'db' | 'clock' | 'log' | 'config' | 'publicUrl' | 'mailer'>

/**
 * Mails a receipt for each paid invoice, once and at any hour. With STRIPE_MAILS=on it only marks them, so that
 * there are not two of one when that is switched off.
 */
export function receiptMails(deps: Deps) {
  const { db, clock, log, config, publicUrl } = deps

  async function mail(recipient: Recipient, invoice: PaidInvoice) {
    const letter = config.stripeMails
      ? undefined
      : receiptLetter(invoice, { ...recipient, publicUrl })
    const about = { kind: 'receipt' as const, abouts: [invoice.id] }
    await sendNotice(deps, recipient, { ...about, letter, lifeMs: LIFE_MS })
  }

  return async (workspaceId: WorkspaceId, invoices: PaidInvoice[]): Promise<void> => {
    const recent = clock().getTime() - RECENT_MS
    const due = invoices.filter(({ amount, paidAt }) => amount > 0 && paidAt >= recent)
    if (due.length === 0) return
    try {
      const since = (await findMark(db, 'receipts'))?.at ?? Number.POSITIVE_INFINITY
      const [recipient] = await recipients(db, [personOf(workspaceId)])
      for (const invoice of due) {
        if (recipient && invoice.paidAt >= since) await mail(recipient, invoice)
      }
    } catch (error) {
      log.warn(
        { err: error, workspaceId },
        'a receipt was not mailed; the next read tries it again',
      )
    }
  }
}
