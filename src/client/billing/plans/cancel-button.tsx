import { Group, Text } from '@mantine/core'
import { CANCELING, type Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { formatDay } from '../../dates.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { useCancelOrResume } from '../queries.ts'
import { PlanChanges } from './plan-changes.tsx'

/** Cancels the plan after a question, or resumes it without one. */
export function CancelButton({ subscription }: { subscription: Subscription }) {
  const { tier, status, currentPeriodEnd } = subscription
  const change = useCancelOrResume()
  const { name } = plans[tier]
  const isCanceling = status === CANCELING
  const askToCancel = () =>
    confirm({
      title: `Cancel your ${name} plan?`,
      text: <PlanChanges from={tier} to="free" until={currentPeriodEnd} />,
      stay: `Keep ${name}`,
      go: 'Cancel plan',
      busyText: 'Canceling...',
      onGo: () => change.mutateAsync('cancel'),
    })
  return (
    <Group justify="space-between" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Text size="sm" c="dimmed">
        {renewalText(subscription)}
      </Text>
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

function renewalText({ tier, status, currentPeriodEnd }: Subscription): string {
  if (status !== CANCELING) return 'You can cancel at any time and keep what you have paid for.'
  const until = currentPeriodEnd ? ` until ${formatDay(currentPeriodEnd)}` : ''
  return `${plans[tier].name} is paid for${until} and does not renew.`
}
