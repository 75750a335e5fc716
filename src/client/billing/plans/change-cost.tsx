import { List } from '@mantine/core'
import type {
  CANCELING,
  ChangePreview,
  CheckoutRequest,
  Subscription,
} from '#contract/billing/billing.ts'
import { plans } from '#contract/billing/plans.ts'
import { formatDay } from '../../formats.ts'
import { useAnswerWaits } from '../../ui/messages/confirm-dialog.tsx'
import { money, planText, priceText } from '../../ui/prices.ts'
import { useChangePreview } from '../calls.ts'
import { isLower, PlanChanges } from './plan-change.tsx'

/** The provider's page comes next: only it knows what is due. */
export const NEXT_PAGE =
  'You’ll see the exact cost on the next page. Nothing changes until you confirm.'

type From = Pick<Subscription, 'tier' | 'billing' | 'currentPeriodEnd' | 'status'>

/**
 * Whether Stripe makes a change at the end of the paid period, by the rules of its portal. Undefined for
 * a lower plan with a longer period, because Stripe does not say how it compares the two prices, and
 * for a plan that will not renew.
 */
function waitsForPeriodEnd(from: From, to: CheckoutRequest): boolean | undefined {
  if (from.status === ('canceling' satisfies typeof CANCELING)) return undefined
  if (from.billing === 'annual' && to.billing === 'monthly') return true
  if (!isLower(to.tier, from.tier)) return false
  return from.billing === to.billing ? true : undefined
}

/** When a change takes effect, and what this person pays for it. */
export function changeCost(
  from: From,
  to: CheckoutRequest,
  preview?: ChangePreview | null,
): string {
  const waits = waitsForPeriodEnd(from, to)
  if (waits && from.currentPeriodEnd) {
    const day = formatDay(from.currentPeriodEnd)
    return `You keep ${planText(from)}, until ${day}. On that day your plan changes to ${planText(to)}.`
  }
  if (waits !== false || !preview) return NEXT_PAGE
  const { dueToday, renewal, renewsAt } = preview
  const price = priceText(renewal, to.billing)
  return `You pay ${money(dueToday)} today. ${plans[to.tier].name} renews on ${formatDay(renewsAt)} for ${price}.`
}

type Props = { subscription: Subscription; to: CheckoutRequest }

/** The effects of a change of a running plan of Stripe. The question before it waits for their cost. */
export function ChangeEffects({ subscription, to }: Props) {
  const { next } = subscription
  const isAtOnce = waitsForPeriodEnd(subscription, to) === false
  const preview = useChangePreview(to, { enabled: isAtOnce })
  const isCalculating = isAtOnce && preview.isPending
  useAnswerWaits(isCalculating)
  const cost = changeCost(subscription, to, preview.data)
  return (
    <PlanChanges from={subscription.tier} to={to.tier}>
      <List.Item>
        <span role="status">{isCalculating ? 'Calculating what you pay today…' : cost}</span>
      </List.Item>
      {next && (
        <List.Item>
          Your change to {plans[next.tier].name} is called off when you continue.
        </List.Item>
      )}
      {cost !== NEXT_PAGE && <List.Item>You confirm this on the next page.</List.Item>}
    </PlanChanges>
  )
}
