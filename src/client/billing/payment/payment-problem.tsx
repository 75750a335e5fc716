import { Alert, Stack, Text } from '@mantine/core'
import type { Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { usePortal } from '../queries.ts'

/** A renewal that was not paid: its effect, and what to do. */
export function PaymentProblem({ subscription }: { subscription: Subscription }) {
  const portal = usePortal()
  const { tier, previousTier = tier, status, unpaid } = subscription
  if (!unpaid) return null
  const { name } = plans[previousTier]
  const effect =
    status === 'unpaid'
      ? `You’ll have ${name} again as soon as you pay.`
      : `You keep ${name} while we try again.`
  return (
    <Alert
      color={BAD_TEXT}
      variant="outline"
      title="Your last payment didn’t go through"
      role="alert"
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{effect} All your QR codes keep working. Please update your card.</Text>
        <BusyButton size="xs" busy={portal.busy} busyText="Opening..." onClick={() => portal.go()}>
          Update card
        </BusyButton>
      </Stack>
    </Alert>
  )
}
