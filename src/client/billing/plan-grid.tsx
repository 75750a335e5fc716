import { SimpleGrid } from '@mantine/core'
import { type BillingPeriod, type PaidTier, paidTiers, plans, type Tier } from '#contract/plans.ts'
import { PlanCard } from './plan-card.tsx'

type Props = {
  current: Tier
  billing: BillingPeriod
  list: 'profile' | 'subscription'
  highlighted?: string | null
  busyWith?: Tier | null
  onChoose: (tier: PaidTier) => void
}

export function PlanGrid({ current, billing, list, highlighted, busyWith, onChoose }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} verticalSpacing="lg">
      {paidTiers.map((tier) => (
        <PlanCard
          key={tier}
          plan={plans[tier]}
          billing={billing}
          features={plans[tier].features[list]}
          isCurrent={tier === current}
          highlighted={tier === highlighted}
          busy={tier === busyWith}
          disabled={busyWith != null}
          onChoose={() => onChoose(tier)}
        />
      ))}
    </SimpleGrid>
  )
}
