import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { BillingPeriod, PaidTier, Tier } from '#contract/plans.ts'
import { BillingToggle, PlanGrid } from './plan-grid.tsx'

type Props = {
  current: Tier
  /** Payments are switched off. */
  off: boolean
  onBack: () => void
  onChoose: (tier: PaidTier, billing: BillingPeriod) => void
}

/** The profile's chooser. The payment is made on the subscription screen. */
export function PlanChooser({ current, off, onBack, onChoose }: Props) {
  const [billing, setBilling] = useState<BillingPeriod>('annual')
  return (
    <Stack gap="lg">
      <div>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          ← Back to Profile
        </Anchor>
      </div>
      <Group justify="space-between" align="center">
        <div>
          <Title>Choose Your Plan</Title>
          <Text c="dimmed">Upgrade your subscription to unlock more features</Text>
        </div>
        <BillingToggle value={billing} onChange={setBilling} />
      </Group>
      <PlanGrid
        current={current}
        off={off}
        billing={billing}
        list="profile"
        onChoose={(tier) => onChoose(tier, billing)}
      />
    </Stack>
  )
}
