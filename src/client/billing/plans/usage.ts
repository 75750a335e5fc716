import type { Subscription } from '#contract/billing.ts'
import { plans, type Tier, UNLIMITED } from '#contract/plans.ts'

/** Usage above this share of the limit is worth a warning, in percent. */
export const WARNING_PERCENT = 80

/**
 * The plan in force: that of an active subscription, else what the server entitles the account to.
 * A lapsed plan is not in force, so that it can be chosen again.
 */
export function tierInForce(
  subscription: Pick<Subscription, 'tier' | 'status'> | null | undefined,
  entitledTo: Tier,
): Tier {
  return subscription?.status === 'active' ? subscription.tier : entitledTo
}

type Usage = Pick<Subscription, 'qrCodeCount' | 'qrCodeLimit'>

/** Shown if the server answers no subscription. */
export function freeSubscription(totalQrCodes = 0): Subscription {
  return {
    tier: 'free',
    status: 'active',
    qrCodeCount: totalQrCodes,
    qrCodeLimit: plans.free.codeLimit,
    currentPeriodEnd: null,
    billing: null,
  }
}

/** The count in percent of the limit, at most 100; null without a limit. */
export function usagePercent({ qrCodeCount, qrCodeLimit }: Usage): number | null {
  if (qrCodeLimit <= 0) return null
  return Math.min(100, (qrCodeCount / qrCodeLimit) * 100)
}

export function needsWarning(subscription: Usage & Pick<Subscription, 'tier'>): boolean {
  const percent = usagePercent(subscription)
  return subscription.tier !== 'unlimited' && percent !== null && percent > WARNING_PERCENT
}

/** Plan Usage on the dashboard. */
export function usageText({ qrCodeCount, qrCodeLimit }: Usage): string {
  return qrCodeLimit === UNLIMITED
    ? `${qrCodeCount} QR codes`
    : `${qrCodeCount}/${qrCodeLimit} QR codes`
}

/** A limit as the profile shows it. */
export function limitText(limit: number): string {
  return limit === UNLIMITED ? '∞' : String(limit)
}
