import { Badge, Button, Card, List, Text, Title } from '@mantine/core'
import { Check } from 'lucide-react'
import type { BillingPeriod, Plan } from '#contract/plans.ts'
import { monthlyPrice, yearlyCharge } from '../ui/price.ts'
import styles from './plan-card.module.css'

type Props = {
  plan: Plan
  billing: BillingPeriod
  features: string[]
  isCurrent: boolean
  highlighted?: boolean
  busy?: boolean
  disabled?: boolean
  onChoose: () => void
}

export function PlanCard({ plan, billing, features, highlighted = false, ...button }: Props) {
  const yearly = yearlyCharge(plan, billing)
  return (
    <Card
      withBorder
      padding="lg"
      className={styles.card}
      data-highlighted={highlighted || undefined}
    >
      <Title order={2} size="h3">
        {plan.name}
      </Title>
      {plan.popular && (
        <Badge tt="none" className={styles.popular}>
          Popular
        </Badge>
      )}
      <Text size="sm" c="dimmed">
        {plan.description}
      </Text>
      <p className={styles.price}>
        <b>{monthlyPrice(plan, billing)}</b>
        <span>/month</span>
      </p>
      <Text size="sm" c="dimmed" mih="1.55em">
        {yearly}
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
      <ChooseButton plan={plan} {...button} />
    </Card>
  )
}

type ButtonProps = Pick<Props, 'plan' | 'isCurrent' | 'busy' | 'disabled' | 'onChoose'>

function ChooseButton({ plan, isCurrent, busy, disabled, onChoose }: ButtonProps) {
  const text = isCurrent ? 'Current Plan' : busy ? 'Creating...' : `Choose ${plan.name}`
  return (
    <Button
      fullWidth
      px="xs"
      variant={plan.popular ? 'filled' : 'default'}
      disabled={isCurrent || busy || disabled}
      onClick={onChoose}
    >
      {text}
    </Button>
  )
}
