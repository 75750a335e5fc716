import { Badge, Box, Button, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import {
  alsoIncluded,
  type BillingPeriod,
  FREE_EXPIRY_FEATURE,
  type PaidTier,
  plans,
  type Tier,
} from '#contract/billing/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { monthlyPrice, taxNote, trialText, yearlyCharge, yearlySaving } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { useTaxBehaviors, useTrialOffer } from '../queries.ts'
import styles from './plan-card.module.css'
import { isLower } from './plan-change.tsx'

/** The props of all plans' cards. */
export type PlansProps = {
  current: Tier
  /** The plan that was chosen on another screen. */
  chosen?: PaidTier | undefined
  billing: BillingPeriod
  list: 'profile' | 'subscription'
  busyWith?: Tier | undefined
  /** Payments are switched off. */
  off: boolean
  /** The changes that a plan brings this person, a sentence each. */
  changesOf?: (tier: PaidTier) => string[]
  /** A further action or note below a plan's button. */
  under?: (tier: PaidTier) => ReactNode
  onChoose: (tier: PaidTier) => void
}

const PRICE = { fontVariantNumeric: 'tabular-nums', letterSpacing: '-0.02em' }

/**
 * The badge is beside the name, or above it in three narrow columns. The names are at the bottom of
 * their row, level with each other in either case.
 */
const AT_BOTTOM = { alignContent: 'flex-start' }

export function PlanCard({ tier, ...props }: PlansProps & { tier: PaidTier }) {
  const { current, chosen, billing, list, busyWith, off, changesOf, under, onChoose } = props
  const plan = plans[tier]
  const isChosen = tier === chosen
  const isBusy = tier === busyWith
  const changes = changesOf?.(tier) ?? []
  // The chosen or the current plan stands out, not the recommended one.
  const outstanding = chosen ?? (current !== 'free' && current)
  const isOutstanding = outstanding ? tier === outstanding : plan.popular
  const isPrimary = chosen ? isChosen : plan.popular && !isLower(tier, current)
  const tax = taxNote(useTaxBehaviors(), { tier, billing })
  const trial = useTrialOffer() ? trialText(plan, billing) : null
  const notes = [trial ?? yearlyCharge(plan, billing), yearlySaving(plan, billing), tax]
  const card = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // Changes with the sentences: they come a moment after the card, and move it.
  const shown = isChosen ? changes.length : null
  useEffect(() => {
    const { activeElement } = document
    // The focus stays where the user has put it.
    const isElsewhere = activeElement !== document.body && activeElement !== button.current
    if (shown === null || isElsewhere) return
    card.current?.scrollIntoView({ block: 'nearest' })
    button.current?.focus()
  }, [shown])
  return (
    <Card
      ref={card}
      withBorder
      padding="lg"
      className={styles.card}
      data-highlighted={isOutstanding || undefined}
    >
      <Group justify="space-between" gap="6px 8px" wrap="wrap-reverse" style={AT_BOTTOM}>
        <Title order={2}>{plan.name}</Title>
        <Group gap={6}>
          {isChosen && (
            <Badge tt="none" size="lg">
              Your choice
            </Badge>
          )}
          {plan.popular && (
            <Badge tt="none" size="lg" variant={isChosen ? 'default' : undefined}>
              Popular
            </Badge>
          )}
        </Group>
      </Group>
      <Quiet>{plan.description}</Quiet>
      <Group gap={4} align="baseline" wrap="nowrap" mt="md">
        <Box component="b" ff="var(--font-display)" fz="2.125rem" lh={1.2} style={PRICE}>
          {monthlyPrice(plan, billing)}
        </Box>
        <Box component="span" c="dimmed">
          /month
        </Box>
      </Group>
      <Quiet mih="1.55em">{notes.filter(Boolean).join(', ')}</Quiet>
      <Box my="lg">
        <Features spacing={6} features={plan.features[list]} />
        <AlsoIncluded tier={tier} />
      </Box>
      {/* An empty row stays, so that the buttons of all cards are level. */}
      <div>
        {changes.length > 0 && (
          <Box mb="md" px={12} py={10} bdrs="md" bg="var(--page)" fz="sm">
            <Box fw={600}>For you</Box>
            {changes.map((change) => (
              <Box key={change} mt={4}>
                {change}
              </Box>
            ))}
          </Box>
        )}
      </div>
      <Stack gap={8} style={{ alignSelf: 'start' }}>
        {tier === current ? (
          <Button fullWidth px="xs" disabled>
            Current Plan
          </Button>
        ) : (
          <BusyButton
            ref={button}
            fullWidth
            px="xs"
            variant={isPrimary ? 'filled' : 'default'}
            disabled={off || (busyWith !== undefined && !isBusy)}
            busy={isBusy}
            busyText="Creating..."
            onClick={() => onChoose(tier)}
          >
            {`Choose ${plan.name}`}
          </BusyButton>
        )}
        {under?.(tier)}
      </Stack>
    </Card>
  )
}

/** The rest of a plan, in a list that is as short as a sentence: a chosen card fits on a phone. */
export function AlsoIncluded({ tier }: { tier: Tier }) {
  return (
    <Text component="div" size="sm" c="dimmed" mt={10}>
      Also included:{' '}
      <ul className={styles.also}>
        {alsoIncluded(plans[tier]).map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </Text>
  )
}

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
