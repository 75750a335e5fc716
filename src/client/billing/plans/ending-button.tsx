import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CANCELING, type Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { formatDay } from '../../ui/formats.ts'
import { useEnding, usePlanUse } from '../queries.ts'
import styles from './billing-card.module.css'
import { planChange } from './plan-change.ts'
import { PlanQuestion } from './plan-question.tsx'

/** Cancels the plan after a question, or takes that back without one. */
export function EndingButton({ subscription }: { subscription: Subscription }) {
  const { tier, status, currentPeriodEnd: until } = subscription
  const [asked, question] = useDisclosure()
  const ending = useEnding()
  const { data: use = null } = usePlanUse()
  const { name } = plans[tier]
  const ends = status === CANCELING
  return (
    <Group justify="space-between" className={styles.ending}>
      <Text size="sm" c="dimmed">
        {endingText(subscription)}
      </Text>
      <BusyButton
        variant={ends ? 'filled' : 'default'}
        busy={ends && ending.isPending}
        busyText="Resuming..."
        onClick={ends ? () => ending.mutate('resume') : question.open}
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
        busy={ending.isPending}
        onStay={question.close}
        onGo={() => ending.mutate('cancel', { onSettled: question.close })}
      />
    </Group>
  )
}

function endingText({ tier, status, currentPeriodEnd }: Subscription): string {
  if (status !== CANCELING) return 'You can cancel at any time and keep what is paid for.'
  const until = currentPeriodEnd ? ` until ${formatDay(currentPeriodEnd)}` : ''
  return `${plans[tier].name} is paid for${until} and does not renew.`
}
