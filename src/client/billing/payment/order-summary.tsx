import { List, Text } from '@mantine/core'
import type { Payment } from '#contract/billing.ts'
import { chargeInCents, plans, type Tier } from '#contract/plans.ts'
import { money, monthlyPrice } from '../../ui/formats.ts'
import { Bill } from '../bill.tsx'
import { Panel } from '../panel.tsx'
import { planChange } from '../plans/plan-change.ts'
import { usePlanUse } from '../queries.ts'

/** The plan, what it costs today and later, and what it changes. */
export function OrderSummary({ payment, current }: { payment: Payment; current: Tier }) {
  const { tier, billing, amount } = payment
  const plan = plans[tier]
  const { data: use = null } = usePlanUse()
  const changes = planChange({ from: current, to: tier, use })
  const period = billing === 'annual' ? 'year' : 'month'
  return (
    <Panel title="Order summary">
      <Bill
        lines={[
          { what: plan.name, amount: `${monthlyPrice(plan, billing)}/month` },
          { what: 'Billed', amount: billing === 'annual' ? 'annually' : 'monthly' },
          { what: 'Due today', amount: money(amount), strong: true },
        ]}
      />
      <Text size="sm" c="dimmed">
        Renews at {money(chargeInCents(plan, billing))} every {period}. You can cancel at any time
        in your profile.
      </Text>
      {changes.length > 0 && (
        <List size="sm" spacing={6}>
          {changes.map((change) => (
            <List.Item key={change}>{change}</List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}
