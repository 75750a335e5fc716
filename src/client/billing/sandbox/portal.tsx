import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { PortalPage, TestClockStep } from '#contract/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { PageHead, Panel } from '../panel.tsx'
import { InvoiceTable } from '../plans/invoices.tsx'
import { PortalCard } from './portal-card.tsx'
import { PaidPlan } from './portal-plan.tsx'
import { usePortalCall } from './sandbox-calls.ts'

/** Plan, card, invoices, and the clock that lets a month go by. */
export function Portal({ page, path }: { page: PortalPage; path: string }) {
  return (
    <Stack gap="lg">
      <PageHead title="Manage billing" backTo={page.backTo} back="Back to your profile" />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <PanelBoundary what="Your plan">
          <Panel title="Your plan">
            {page.subscription ? (
              <PaidPlan plan={page.subscription} path={path} />
            ) : (
              <Text>You’re on the Free plan.</Text>
            )}
          </Panel>
        </PanelBoundary>
        <PanelBoundary what="Your card">
          <PortalCard page={page} path={path} />
        </PanelBoundary>
      </SimpleGrid>
      <PanelBoundary what="The test clock">
        <PortalClock page={page} path={path} />
      </PanelBoundary>
      <PanelBoundary what="Your invoices">
        <Panel title="Invoices">
          {page.invoices.length === 0 ? (
            <Text c="dimmed">No invoices yet.</Text>
          ) : (
            <InvoiceTable invoices={page.invoices} />
          )}
        </Panel>
      </PanelBoundary>
    </Stack>
  )
}

const steps: { step: TestClockStep; text: string }[] = [
  { step: 'month', text: 'One month' },
  { step: 'period', text: 'To the end of the period' },
  { step: 'year', text: 'One year' },
]

/** Moves the time of this account's payments, so that renewals can be seen without waiting for them. */
function PortalClock({ page, path }: { page: PortalPage; path: string }) {
  const { mutate, isPending, failure, busyWith } = usePortalCall(path)
  const isOver = !page.subscription || page.subscription.status === 'canceled'
  const busyStep = busyWith?.action === 'advance' ? busyWith.body.step : null
  return (
    <Panel title="Advance the test clock">
      <Text>
        For billing, today is{' '}
        <Text component="span" fw={600} role="status">
          {formatDay(page.now)}
        </Text>
        {page.isAhead ? ' on the test clock.' : '.'} Renewals that come due are charged right away.
        Your QR codes and scans stay on real time.
      </Text>
      <FailureAlert message={failure} />
      <Group>
        {steps
          .filter(({ step }) => !(isOver && step === 'period'))
          .map(({ step, text }) => (
            <BusyButton
              key={step}
              variant="default"
              busy={isPending}
              busyText={busyStep === step ? 'Advancing…' : text}
              onClick={() => mutate({ action: 'advance', body: { step } })}
            >
              {text}
            </BusyButton>
          ))}
      </Group>
    </Panel>
  )
}
