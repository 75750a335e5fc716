import { Button, Card, List, Stack, Title } from '@mantine/core'
import { Check } from 'lucide-react'
import { plans, type Tier } from '#contract/plans.ts'
import styles from './plan-card.module.css'

type Props = { tier: Tier; onViewPlans: () => void }

export function PlanFeatures({ tier, onViewPlans }: Props) {
  return (
    <Card withBorder padding="lg">
      <Stack h="100%">
        <Title order={3} size="h4">
          Current Plan Features
        </Title>
        <List
          spacing={8}
          size="sm"
          className={styles.features}
          icon={<Check size={16} aria-hidden />}
        >
          {plans[tier].features.profile.map((feature) => (
            <List.Item key={feature}>{feature}</List.Item>
          ))}
        </List>
        {tier !== 'unlimited' && (
          <Button variant="default" onClick={onViewPlans}>
            View Plans
          </Button>
        )}
      </Stack>
    </Card>
  )
}
