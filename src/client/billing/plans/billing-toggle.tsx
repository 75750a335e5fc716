import { Badge, Group, SegmentedControl } from '@mantine/core'
import { type BillingPeriod, billingPeriods } from '#contract/plans.ts'
import { GOOD } from '../../ui/theme.ts'

const labels: Record<BillingPeriod, string> = { monthly: 'Monthly', annual: 'Annual' }

type Props = { value: BillingPeriod; onChange: (billing: BillingPeriod) => void }

export function BillingToggle({ value, onChange }: Props) {
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Billing period"
        withItemsBorders={false}
        value={value}
        onChange={(billing) => onChange(billing as BillingPeriod)}
        data={billingPeriods.map((period) => ({ value: period, label: labels[period] }))}
      />
      <Badge color={GOOD} tt="none" size="lg">
        Save 20%
      </Badge>
    </Group>
  )
}
