import type { PublicConfig } from '#contract/accounts/accounts.ts'
import type { Subscription } from '#contract/billing/billing.ts'
import { plans, type Tier, UNLIMITED } from '#contract/billing/plans.ts'

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

/** Stripe gives an account one free trial, before its first plan. Not offered before both are known. */
export function hasTrialOffer(
  billing: PublicConfig['billing'] | undefined,
  subscription: Subscription | null | undefined,
): boolean {
  if (billing !== 'stripe' || subscription === undefined) return false
  return !subscription?.billing && !subscription?.hadTrial
}

type Usage = Pick<Subscription, 'qrCodeCount' | 'qrCodeLimit'>
type PlanUsage = Usage & { tier: Tier }

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

/**
 * The subscription that a screen shows. An answer without one is the free plan. Undefined while it is
 * read; null if it cannot be read, because then none of its numbers is known.
 */
export function shownSubscription(
  { data, isError }: { data: Subscription | null | undefined; isError: boolean },
  totalQrCodes: number | undefined,
): Subscription | null | undefined {
  if (data === undefined) return isError ? null : undefined
  return data ?? freeSubscription(totalQrCodes)
}

/**
 * Total QR Codes. The subscription knows it too, where the analytics cannot be read: some content blockers
 * refuse every call that has the word in its path. Null if neither can be read.
 */
export function shownCount(
  figures: { totalQrCodes: number } | null | undefined,
  subscription: Usage | null | undefined,
): number | null | undefined {
  if (figures !== null) return figures?.totalQrCodes
  return subscription === null ? null : subscription?.qrCodeCount
}

/** The count in percent of the limit, at most 100; null without a limit. */
export function usagePercent({ qrCodeCount, qrCodeLimit }: Usage): number | null {
  if (qrCodeLimit <= 0) return null
  return Math.min(100, (qrCodeCount / qrCodeLimit) * 100)
}

/** The coming end of what is paid; null if nothing is, or the renewal has failed. */
export function comingEnd(
  { currentPeriodEnd }: Pick<Subscription, 'currentPeriodEnd'>,
  now: Date,
): string | null {
  return currentPeriodEnd && new Date(currentPeriodEnd) > now ? currentPeriodEnd : null
}

/** How many codes the plan has room for; null without a limit. */
export function placesLeft({ qrCodeCount, qrCodeLimit }: Usage): number | null {
  return qrCodeLimit === UNLIMITED ? null : Math.max(0, qrCodeLimit - qrCodeCount)
}

/** Near the limit, or at it; not beyond it. */
export function needsWarning(subscription: PlanUsage): boolean {
  const { tier, qrCodeCount, qrCodeLimit } = subscription
  const percent = usagePercent(subscription)
  const isBeyond = qrCodeCount > qrCodeLimit
  return tier !== 'unlimited' && percent !== null && percent > WARNING_PERCENT && !isBeyond
}

/** A note at the limit and beyond it; null below it. */
export function limitNote({ tier, qrCodeCount, qrCodeLimit }: PlanUsage): string | null {
  const { name } = plans[tier]
  if (qrCodeLimit <= 0 || qrCodeCount < qrCodeLimit) return null
  if (qrCodeCount === qrCodeLimit) {
    return `You’ve used all ${qrCodeLimit} QR codes on the ${name} plan. To create another, upgrade or delete one.`
  }
  return `You have ${qrCodeCount} QR codes, and the ${name} plan includes ${qrCodeLimit}. They stay as they are. To create another, upgrade or delete some.`
}

/** Plan Usage on the dashboard. */
export function usageText({ qrCodeCount, qrCodeLimit }: Usage): string {
  return qrCodeLimit === UNLIMITED
    ? `${qrCodeCount} QR codes`
    : `${qrCodeCount}/${qrCodeLimit} QR codes`
}
