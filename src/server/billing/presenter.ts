import { CANCELING, type Subscription } from '#contract/billing.ts'
import { entitlements } from './entitlements.ts'
import type { SubscriptionRow } from './subscriptions-store.ts'

/** What a person is told of their plan; without a row it is the free one. */
export function presentSubscription(
  row: SubscriptionRow | undefined,
  usedPlaces: number,
): Subscription {
  const end = row?.current_period_end
  return {
    tier: row?.tier ?? 'free',
    status: row ? statusOf(row) : 'active',
    qrCodeCount: usedPlaces,
    qrCodeLimit: entitlements(row).codeLimit,
    currentPeriodEnd: end ? new Date(end).toISOString() : null,
    billing: row?.billing ?? null,
  }
}

/** A plan that does not renew is not shown as one that does. */
function statusOf({ status, ends_at_period_end }: SubscriptionRow): string {
  return status === 'active' && ends_at_period_end ? CANCELING : status
}
