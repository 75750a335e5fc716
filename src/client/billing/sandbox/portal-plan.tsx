import { Button, Group, Stack, Text } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { PortalPage } from '#contract/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { planText, priceText } from '../../ui/prices.ts'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { usePortalCall } from './sandbox-calls.ts'

type Plan = NonNullable<PortalPage['subscription']>

export function PaidPlan({ plan, path }: { plan: Plan; path: string }) {
  const { mutate, isPending, failure } = usePortalCall(path)
  const isOver = plan.status === 'canceled'
  const isUnpaid = plan.status === 'past_due'
  const askToCancel = () =>
    confirm({
      title: 'Cancel your plan?',
      text: `You keep ${plans[plan.tier].name} until ${formatDay(plan.periodEnd)}. It won’t renew, and your QR codes keep working after that.`,
      stay: 'Keep plan',
      go: 'Cancel plan',
      onGo: () => mutate({ action: 'cancel' }),
    })
  const label = plan.endsAtPeriodEnd ? 'Resume plan' : 'Cancel plan'
  const resume = () => mutate({ action: 'resume' })
  return (
    <Stack>
      <div>
        <Text fw={600}>{planText(plan)}</Text>
        <Text size="sm" role="status" {...(isUnpaid && { c: BAD_TEXT, fw: 500 })}>
          {statusText(plan)}
        </Text>
      </div>
      <FailureAlert message={failure} />
      <Group>
        {!isUnpaid && (
          <Button component="a" href="/subscription" variant={isOver ? 'filled' : 'default'}>
            {isOver ? 'Choose a plan' : 'Change plan'}
          </Button>
        )}
        {!isOver && (
          // One button for both, so that it keeps the focus.
          <BusyButton
            variant="default"
            busy={isPending}
            busyText={label}
            onClick={plan.endsAtPeriodEnd ? resume : askToCancel}
          >
            {label}
          </BusyButton>
        )}
      </Group>
    </Stack>
  )
}

function statusText(plan: Plan): string {
  const { status, endsAtPeriodEnd, periodEnd, price, billing, next } = plan
  if (status === 'canceled') return 'This plan has ended.'
  if (status === 'past_due') {
    return `The last payment failed. Replace the card to pay now. Otherwise, the plan ends on ${formatDay(periodEnd)}.`
  }
  if (next && !endsAtPeriodEnd) {
    return `Changes to ${planText(next)} on ${formatDay(periodEnd)}, for ${priceText(price, next.billing)}.`
  }
  return endsAtPeriodEnd
    ? `Ends on ${formatDay(periodEnd)} and won’t renew.`
    : `Renews on ${formatDay(periodEnd)} for ${priceText(price, billing)}.`
}
