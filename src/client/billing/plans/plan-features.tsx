import { Card, List, Stack, Title } from '@mantine/core'
import { Check, Minus } from 'lucide-react'
import { FREE_EXPIRY_DAYS, FREE_EXPIRY_FEATURE, plans, type Tier } from '#contract/plans.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import styles from './plan-card.module.css'

/** A limit has a dash: it is not a benefit. */
export function Features({ features, spacing }: { features: string[]; spacing: number }) {
  return (
    <List
      spacing={spacing}
      size="sm"
      className={styles.features}
      icon={<Check size={16} aria-hidden />}
    >
      {features.map((feature) => (
        <List.Item
          key={feature}
          icon={feature === FREE_EXPIRY_FEATURE && <Minus size={16} aria-hidden />}
        >
          {feature}
        </List.Item>
      ))}
    </List>
  )
}

type Props = { tier: Tier; onViewPlans: () => void }

export function PlanFeatures({ tier, onViewPlans }: Props) {
  return (
    <Card withBorder padding="lg">
      <Stack h="100%">
        <Title order={3}>Current Plan Features</Title>
        <Features spacing={8} features={plans[tier].features.profile} />
        {plans[tier].expiryDays !== null && (
          <Quiet>
            Codes stop working {FREE_EXPIRY_DAYS} days after you first save them. Upgrade anytime to
            keep them working.
          </Quiet>
        )}
        {tier !== 'unlimited' && <PlainButton onClick={onViewPlans}>View Plans</PlainButton>}
      </Stack>
    </Card>
  )
}
