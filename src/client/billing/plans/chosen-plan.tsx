import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { type BillingPeriod, chargeInCents, type PaidTier, plans } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { money, monthlyPrice, planText, yearlySaving } from '../../ui/prices.ts'
import { Bill, Panel } from '../panel.tsx'
import { ForYou } from './plan-card.tsx'

type Props = {
  tier: PaidTier
  billing: BillingPeriod
  /** The changes that the plan brings this person, a sentence each. */
  changes: string[]
  /** A first payment: a change of plan has its price on the provider's page. */
  isFirst: boolean
  busy: boolean
  onContinue: () => void
}

/** The plan that was chosen on another screen, with one button to go on. */
export function ChosenPlan({ tier, billing, changes, isFirst, busy, onContinue }: Props) {
  const plan = plans[tier]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const saving = yearlySaving(plan, billing)
  const sum = money(chargeInCents(plan, billing))
  return (
    // Not wider: the sums stay near to their names.
    <Box maw="40rem">
      <Panel title={`Your choice: ${planText({ tier, billing })}`}>
        <Bill
          lines={[
            { what: 'Price', amount: `${monthlyPrice(plan, billing)}/month` },
            ...(saving ? [{ what: 'Compared with monthly billing', amount: saving }] : []),
            {
              what: billing === 'annual' ? 'Billed each year' : 'Billed each month',
              amount: sum,
              strong: true,
            },
          ]}
        />
        <ForYou changes={changes} />
        <Stack gap="sm">
          <Group gap="lg">
            <BusyButton ref={button} busy={busy} busyText="Creating..." onClick={onContinue}>
              Continue
            </BusyButton>
            <Anchor component={Link} href="/subscription" size="sm">
              Compare all plans
            </Anchor>
          </Group>
          <Text size="sm" c="dimmed">
            {isFirst
              ? 'You pay on the next page. You can cancel at any time.'
              : 'The next page shows what it costs. Nothing changes before you agree there.'}
          </Text>
        </Stack>
      </Panel>
    </Box>
  )
}
