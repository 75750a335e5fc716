import { Card, List, Stack, Text, Title } from '@mantine/core'
import type { Payment } from '#contract/billing.ts'
import { chargeInCents, plans, type Tier } from '#contract/plans.ts'
import { dollars, monthlyPrice } from '../ui/price.ts'
import styles from './payment-step.module.css'
import { planChange } from './plan-change.ts'
import { usePlanUse } from './queries.ts'

/** What is bought, what it costs today and later, and what it changes. */
export function OrderSummary({ payment, current }: { payment: Payment; current: Tier }) {
  const { tier, billing, amount } = payment
  const plan = plans[tier]
  const { data: use = null } = usePlanUse()
  const changes = planChange({ from: current, to: tier, use })
  const period = billing === 'annual' ? 'year' : 'month'
  return (
    <Card component="section" withBorder padding="lg" aria-labelledby="order">
      <Stack>
        <Title order={2} size="h4" id="order">
          Order summary
        </Title>
        <dl className={styles.lines}>
          <dt>{plan.name}</dt>
          <dd>{monthlyPrice(plan, billing)}/month</dd>
          <dt>Billed</dt>
          <dd>{billing === 'annual' ? 'annually' : 'monthly'}</dd>
          <dt className={styles.due}>Due today</dt>
          <dd className={styles.due}>{dollars(amount / 100)}</dd>
        </dl>
        <Text size="sm" c="dimmed">
          Renews at {dollars(chargeInCents(plan, billing) / 100)} every {period}. You can cancel at
          any time in your profile.
        </Text>
        {changes.length > 0 && (
          <List size="sm" spacing={6}>
            {changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Card>
  )
}
