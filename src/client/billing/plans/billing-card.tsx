import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'wouter'
import { CANCELING, type Subscription } from '#contract/billing/billing.ts'
import { plans } from '#contract/billing/plans.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { planText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { usePortal, useRenewal } from '../calls.ts'
import type { useInvoices } from '../queries.ts'
import { Invoices } from './invoices.tsx'
import { discountText, PlanChanges, PlannedChange } from './plan-change.tsx'
import { comingEnd } from './usage.ts'

/** Statuses of a subscription that is over, and that nothing can change any more. */
const OVER = new Set(['canceled', 'incomplete', 'incomplete_expired'])

type Props = { subscription: Subscription; invoices: ReturnType<typeof useInvoices> }

/** A paying account's plan and invoices; after the plan's end its invoices, if any. */
export function BillingCard({ subscription, invoices }: Props) {
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  const portal = usePortal()
  const { tier, previousTier = tier, discount } = subscription
  const isRunning = !OVER.has(subscription.status)
  if (!isRunning && !invoices.data?.length) return null
  return (
    <Card
      component="section"
      withBorder
      padding="lg"
      aria-labelledby="billing"
      ref={area}
      tabIndex={-1}
    >
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={3} id="billing">
              Billing
            </Title>
            <Quiet>
              {isRunning
                ? `${planText({ ...subscription, tier: previousTier })}.`
                : 'Your past invoices.'}
            </Quiet>
            {isRunning && discount && <Text size="sm">{discountText(discount)}</Text>}
          </div>
          <Group gap="sm">
            <BusyButton
              variant="default"
              busy={portal.busy}
              busyText="Opening..."
              onClick={() => portal.go()}
            >
              Manage billing
            </BusyButton>
            {isRunning && (
              <Button component={Link} href="/subscription" variant="default">
                Change plan
              </Button>
            )}
          </Group>
        </Group>
        {subscription.next && <PlannedChange next={subscription.next} />}
        <Invoices invoices={invoices} />
        {isRunning && <CancelButton subscription={subscription} />}
      </Stack>
    </Card>
  )
}

/** Cancels the plan after a question, or resumes it without one. */
function CancelButton({ subscription }: { subscription: Subscription }) {
  const { tier, status } = subscription
  const change = useRenewal()
  const { name } = plans[tier]
  const isCanceling = status === CANCELING
  const askToCancel = () =>
    confirm({
      title: `Cancel your ${name} plan?`,
      text: <PlanChanges from={tier} to="free" until={comingEnd(subscription, new Date())} />,
      stay: `Keep ${name}`,
      go: 'Cancel plan',
      busyText: 'Canceling...',
      onGo: () => change.mutateAsync('cancel'),
    })
  return (
    <Group justify="space-between" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Quiet>{renewalText(subscription)}</Quiet>
      <BusyButton
        variant={isCanceling ? 'filled' : 'default'}
        busy={isCanceling && change.isPending}
        busyText="Resuming..."
        onClick={isCanceling ? () => change.mutate('resume') : askToCancel}
      >
        {isCanceling ? 'Resume plan' : 'Cancel plan'}
      </BusyButton>
    </Group>
  )
}

/** How and until when the plan goes on. */
export function renewalText(subscription: Subscription): string {
  const { tier, status, currentPeriodEnd } = subscription
  if (status === 'trialing' && currentPeriodEnd)
    return `Your free trial ends on ${formatDay(currentPeriodEnd)}. If you cancel before then, you pay nothing.`
  const isPaid = comingEnd(subscription, new Date()) !== null
  if (status !== CANCELING)
    return `Cancel anytime.${isPaid ? ' You keep your plan until the end of the paid period.' : ''}`
  const { name } = plans[tier]
  if (!currentPeriodEnd) return `${name} won’t renew.`
  const day = formatDay(currentPeriodEnd)
  return `${name} ${isPaid ? 'is' : 'was'} paid until ${day} and won’t renew.`
}

/** A renewal that was not paid: its effect, and what to do. */
export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const portal = usePortal()
  const { tier, previousTier = tier, status, unpaid } = subscription
  if (!unpaid) return null
  const { name } = plans[previousTier]
  const effect =
    status === 'unpaid'
      ? `You’ll have ${name} again as soon as you pay.`
      : `You keep ${name} while we try again.`
  return (
    <Alert
      color={BAD_TEXT}
      variant="outline"
      title="Your last payment didn’t go through"
      role="alert"
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{effect} All your QR codes keep working. Please update your card.</Text>
        <BusyButton size="xs" busy={portal.busy} busyText="Opening..." onClick={() => portal.go()}>
          Update card
        </BusyButton>
      </Stack>
    </Alert>
  )
}
