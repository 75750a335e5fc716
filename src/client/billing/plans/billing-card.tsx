import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { Subscription } from '#contract/billing.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { planText } from '../../ui/formats.ts'
import { type useInvoices, usePortal } from '../queries.ts'
import { CancelButton } from './cancel-button.tsx'
import { Invoices } from './invoices.tsx'

/** Statuses of a subscription that is over, and that nothing can change any more. */
const OVER = new Set(['canceled', 'incomplete', 'incomplete_expired'])

type Props = { subscription: Subscription; invoices: ReturnType<typeof useInvoices> }

/** What a paying account can do; after that its invoices, if any. */
export function BillingCard({ subscription, invoices }: Props) {
  const portal = usePortal()
  const { tier, previousTier = tier } = subscription
  const isRunning = !OVER.has(subscription.status)
  if (!isRunning && !invoices.data?.length) return null
  return (
    <Card component="section" withBorder padding="lg" aria-labelledby="billing">
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={3} size="h4" id="billing">
              Billing
            </Title>
            <Text size="sm" c="dimmed">
              {isRunning
                ? `${planText({ ...subscription, tier: previousTier })}.`
                : 'What you have paid for so far.'}
            </Text>
          </div>
          <Group gap="sm">
            <BusyButton
              variant="default"
              busy={portal.busy}
              busyText="Opening..."
              onClick={portal.open}
            >
              Manage billing
            </BusyButton>
            {isRunning && (
              <Button component={Link} href="/subscription" variant="default">
                Change plan
              </Button>
            )}
          </Group>
        </Group>
        <Invoices invoices={invoices} />
        {isRunning && <CancelButton subscription={subscription} />}
      </Stack>
    </Card>
  )
}
