import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CANCELING, type Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { formatDay } from '../../ui/formats.ts'
import { useCancelOrResume, usePlanUse } from '../queries.ts'
import { planChange } from './plan-change.ts'
import { PlanQuestion } from './plan-question.tsx'

/** Cancels the plan after a question, or resumes it without one. */
export function CancelButton({ subscription }: { subscription: Subscription }) {
  const { tier, status, currentPeriodEnd: until } = subscription
  const [asked, question] = useDisclosure()
  const change = useCancelOrResume()
  const { data: use = null } = usePlanUse()
  const { name } = plans[tier]
  const ends = status === CANCELING
  return (
    <Group justify="space-between" pt="md" style={{ borderTop: '1px solid var(--line)' }}>
      <Text size="sm" c="dimmed">
        {renewalText(subscription)}
      </Text>
      <BusyButton
        variant={ends ? 'filled' : 'default'}
        busy={ends && change.isPending}
        busyText="Resuming..."
        onClick={ends ? () => change.mutate('resume') : question.open}
      >
        {ends ? 'Resume plan' : 'Cancel plan'}
      </BusyButton>
      <PlanQuestion
        opened={asked}
        title={`Cancel your ${name} plan?`}
        sentences={planChange({ from: tier, to: 'free', use, until })}
        stay={`Keep ${name}`}
        go="Cancel plan"
        grave
        busy={change.isPending}
        onStay={question.close}
        onGo={() => change.mutate('cancel', { onSettled: question.close })}
      />
    </Group>
  )
}

function renewalText({ tier, status, currentPeriodEnd }: Subscription): string {
  if (status !== CANCELING) return 'You can cancel at any time and keep what is paid for.'
  const until = currentPeriodEnd ? ` until ${formatDay(currentPeriodEnd)}` : ''
  return `${plans[tier].name} is paid for${until} and does not renew.`
}
