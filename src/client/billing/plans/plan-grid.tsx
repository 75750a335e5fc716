import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { type BillingPeriod, type PaidTier, paidTiers, plans, type Tier } from '#contract/plans.ts'
import { PlanCard } from './plan-card.tsx'

type Props = {
  current: Tier
  billing: BillingPeriod
  list: 'profile' | 'subscription'
  /** The plan that somebody has chosen on another screen. */
  wanted?: string | null
  busyWith?: Tier | null
  disabled?: boolean
  /** What a plan would change for this person. */
  changesOf?: (tier: PaidTier) => string[]
  /** What else can be done about the plan that somebody has. */
  underCurrent?: ReactNode
  onChoose: (tier: PaidTier) => void
}

export function PlanGrid({ current, billing, list, busyWith = null, disabled, ...rest }: Props) {
  const { wanted, changesOf, underCurrent, onChoose } = rest
  const chosen = paidTiers.find((tier) => tier === wanted && tier !== current)
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} verticalSpacing="lg">
      {paidTiers.map((tier) => (
        <PlanCard
          key={tier}
          plan={plans[tier]}
          billing={billing}
          features={plans[tier].features[list]}
          changes={changesOf?.(tier) ?? []}
          wanted={tier === chosen}
          primary={chosen ? tier === chosen : plans[tier].popular}
          isCurrent={tier === current}
          busy={tier === busyWith}
          disabled={disabled || busyWith !== null}
          under={tier === current && underCurrent}
          onChoose={() => onChoose(tier)}
        />
      ))}
    </SimpleGrid>
  )
}
