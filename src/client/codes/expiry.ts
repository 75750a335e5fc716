import type { QrCode } from '#contract/codes.ts'
import { plans, type Tier } from '#contract/plans.ts'
import { formatDay } from '../ui/dates.ts'

const DAY_MS = 86_400_000

/** When a saved code ends, in words; null where it never does. */
export function endOf(code: Pick<QrCode, 'expiresAt'>, now: Date): string | null {
  if (!code.expiresAt) return null
  const verb = now > new Date(code.expiresAt) ? 'Stopped working on' : 'Stops working on'
  return `${verb} ${formatDay(code.expiresAt)}`
}

/** What saving a new code now means for its end; null on a plan whose codes last. */
export function endOfNewCode(tier: Tier, now: Date): string | null {
  const { name, expiryDays } = plans[tier]
  if (expiryDays === null) return null
  const end = new Date(now.getTime() + expiryDays * DAY_MS)
  return `On the ${name} plan a code stops working ${expiryDays} days after it is first saved. Stops working on ${formatDay(end)} if saved today.`
}
