import { Badge, Box, Button, Card, Group, List, Stack, Title } from '@mantine/core'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type BillingPeriod, extrasText, type Plan } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { monthlyPrice, taxNote, trialText, yearlyCharge, yearlySaving } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { useTaxBehaviors, useTrialOffer } from '../queries.ts'
import styles from './plan-card.module.css'

type Props = {
  plan: Plan
  billing: BillingPeriod
  features: string[]
  /** The changes that the plan brings this person, a sentence each. */
  changes: string[]
  highlighted: boolean
  /** Its button stands out among the cards. */
  primary: boolean
  /** It was chosen on another screen. */
  isChosen: boolean
  isCurrent: boolean
  busy: boolean
  disabled: boolean
  under: ReactNode
  onChoose: () => void
}

const PRICE = { fontVariantNumeric: 'tabular-nums', letterSpacing: '-0.02em' }

/**
 * The badge is beside the name, or above it in three narrow columns. The names are at the bottom of
 * their row, level with each other in either case.
 */
const AT_BOTTOM = { alignContent: 'flex-start' }

export function PlanCard(props: Props) {
  const { plan, billing, features, changes, highlighted, under } = props
  const { primary, isChosen, isCurrent, busy, disabled, onChoose } = props
  const tax = taxNote(useTaxBehaviors(), { tier: plan.tier, billing })
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
      data-highlighted={highlighted || undefined}
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
        <List
          spacing={6}
          size="sm"
          className={styles.features}
          icon={<Check size={16} aria-hidden />}
        >
          {features.map((feature) => (
            <List.Item key={feature}>{feature}</List.Item>
          ))}
        </List>
        <Quiet mt={10}>{extrasText(plan)}</Quiet>
      </Box>
      {/* An empty row stays, so that the buttons of all cards are level. */}
      <div>
        <ForYou changes={changes} />
      </div>
      <Stack gap={8} style={{ alignSelf: 'start' }}>
        {isCurrent ? (
          <Button fullWidth px="xs" disabled>
            Current Plan
          </Button>
        ) : (
          <BusyButton
            ref={button}
            fullWidth
            px="xs"
            variant={primary ? 'filled' : 'default'}
            disabled={disabled && !busy}
            busy={busy}
            busyText="Creating..."
            onClick={onChoose}
          >
            {`Choose ${plan.name}`}
          </BusyButton>
        )}
        {under}
      </Stack>
    </Card>
  )
}

/** The changes that a plan brings this person, if there are any. */
function ForYou({ changes }: { changes: string[] }) {
  return (
    changes.length > 0 && (
      <Box mb="md" px={12} py={10} bdrs="md" bg="var(--page)" fz="sm">
        <Box fw={600}>For you</Box>
        {changes.map((change) => (
          <Box key={change} mt={4}>
            {change}
          </Box>
        ))}
      </Box>
    )
  )
}
