import { Badge, Button, Card, List, Text, Title } from '@mantine/core'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BillingPeriod, Plan } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { monthlyPrice, yearlyCharge, yearlySaving } from '../../ui/formats.ts'
import styles from './plan-card.module.css'

type Props = {
  plan: Plan
  billing: BillingPeriod
  features: string[]
  /** The changes that the plan brings this person, a sentence each. */
  changes: string[]
  highlighted: boolean
  primary: boolean
  isCurrent: boolean
  busy: boolean
  disabled: boolean
  under: ReactNode
  onChoose: () => void
}

export function PlanCard({
  plan,
  billing,
  features,
  changes,
  under,
  highlighted,
  ...choice
}: Props) {
  return (
    <Card
      withBorder
      padding="lg"
      className={styles.card}
      data-highlighted={highlighted || undefined}
    >
      <div className={styles.head}>
        <Title order={2} size="h3">
          {plan.name}
        </Title>
        {plan.popular && (
          <Badge tt="none" size="lg">
            Popular
          </Badge>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {plan.description}
      </Text>
      <p className={styles.price}>
        <b>{monthlyPrice(plan, billing)}</b>
        <span>/month</span>
      </p>
      <Text size="sm" c="dimmed" mih="1.55em">
        {[yearlyCharge(plan, billing), yearlySaving(plan, billing)].filter(Boolean).join(', ')}
      </Text>
      <List
        spacing={6}
        size="sm"
        my="lg"
        className={styles.features}
        icon={<Check size={16} aria-hidden />}
      >
        {features.map((feature) => (
          <List.Item key={feature}>{feature}</List.Item>
        ))}
      </List>
      <Changes changes={changes} />
      <div className={styles.choice}>
        <ChooseButton plan={plan} {...choice} />
        {under}
      </div>
    </Card>
  )
}

/** An empty row stays, so that the buttons of all cards are level. */
function Changes({ changes }: { changes: string[] }) {
  return (
    <div>
      {changes.length > 0 && (
        <div className={styles.changes}>
          <b>For you</b>
          {changes.map((change) => (
            <p key={change}>{change}</p>
          ))}
        </div>
      )}
    </div>
  )
}

type ChooseProps = {
  plan: Plan
  /** The button that stands out in its row. */
  primary: boolean
  isCurrent: boolean
  busy: boolean
  disabled: boolean
  onChoose: () => void
}

function ChooseButton({ plan, primary, isCurrent, ...choice }: ChooseProps) {
  const { busy, disabled, onChoose } = choice
  if (isCurrent) {
    return (
      <Button fullWidth px="xs" disabled>
        Current Plan
      </Button>
    )
  }
  return (
    <BusyButton
      fullWidth
      px="xs"
      variant={primary ? 'filled' : 'default'}
      disabled={disabled && !busy}
      busy={busy}
      busyText="Creating..."
      onClick={onChoose}
    >
      {`Choose ${plan.name}`}
    </BusyButton>
  )
}
