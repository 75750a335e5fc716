import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { chargeInCents, plans } from '#contract/billing/plans.ts'
import type { PortalPage, TestClockStep } from '#contract/billing/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { planText, priceText } from '../../ui/prices.ts'
import { Section } from '../../ui/section.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { keepWorkspace } from '../../workspace.ts'
import { PageHead } from '../panel.tsx'
import { TestCardForm, testCards } from '../payment/test-card-form.tsx'
import { InvoiceTable } from '../plans/invoices.tsx'
import { useAct } from './sandbox-calls.ts'
import { PrintableInvoice } from './test-invoice.tsx'

type Props = { page: PortalPage; path: string }

/** Plan, card, invoices, and the clock that lets a month go by; or the invoice that the address names. */
export function Portal({ page, path }: Props) {
  const asked = new URLSearchParams(window.location.search).get('invoice')
  const invoice = page.invoices.find(({ id }) => id === asked)
  if (invoice) return <PrintableInvoice invoice={invoice} payer={page.payer} />
  return (
    <Stack gap="lg">
      <PageHead title="Manage billing" backTo={page.backTo} back="Back to your profile" />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Section align="stretch" title="Your plan">
          <PanelBoundary what="Your plan">
            {page.subscription ? (
              <PaidPlan plan={page.subscription} path={path} />
            ) : (
              <Text>You’re on the Free plan.</Text>
            )}
          </PanelBoundary>
        </Section>
        <PanelBoundary what="Your card">
          <PortalCard page={page} path={path} />
        </PanelBoundary>
      </SimpleGrid>
      <PanelBoundary what="The test clock">
        <PortalClock page={page} path={path} />
      </PanelBoundary>
      <Section align="stretch" title="Invoices">
        <PanelBoundary what="Your invoices">
          {page.invoices.length === 0 ? (
            <Text c="dimmed">No invoices yet.</Text>
          ) : (
            <InvoiceTable invoices={page.invoices} />
          )}
        </PanelBoundary>
      </Section>
    </Stack>
  )
}

type Plan = NonNullable<PortalPage['subscription']>

function PaidPlan({ plan, path }: { plan: Plan; path: string }) {
  const { act, busy, failure } = useAct(path)
  const isOver = plan.status === 'canceled'
  const isUnpaid = plan.status === 'past_due'
  const askToCancel = () =>
    confirm({
      title: 'Cancel your plan?',
      text: `You keep ${plans[plan.tier].name} until ${formatDay(plan.periodEnd)}. It won’t renew, and your QR codes keep working after that.`,
      stay: 'Keep plan',
      go: 'Cancel plan',
      onGo: () => act({ action: 'cancel' }),
    })
  const label = plan.endsAtPeriodEnd ? 'Resume plan' : 'Cancel plan'
  const resume = () => act({ action: 'resume' })
  return (
    <Stack>
      <div>
        <Text fw={600}>{planText(plan)}</Text>
        <Text size="sm" role="status" {...(isUnpaid && { c: BAD_TEXT, fw: 500 })}>
          {statusText(plan)}
        </Text>
      </div>
      <FailureAlert message={failure} />
      <Group>
        {!isUnpaid && (
          <Button
            component="a"
            href={keepWorkspace('/subscription')}
            variant={isOver ? 'filled' : 'default'}
          >
            {isOver ? 'Choose a plan' : 'Change plan'}
          </Button>
        )}
        {!isOver && (
          // One button for both, so that it keeps the focus.
          <BusyButton
            variant="default"
            busy={busy}
            busyText={label}
            onClick={plan.endsAtPeriodEnd ? resume : askToCancel}
          >
            {label}
          </BusyButton>
        )}
      </Group>
    </Stack>
  )
}

function statusText(plan: Plan): string {
  const { status, endsAtPeriodEnd, periodEnd, next } = plan
  const { tier, billing } = next ?? plan
  const price = priceText(chargeInCents(plans[tier], billing), billing)
  const day = formatDay(periodEnd)
  if (status === 'canceled') return 'This plan has ended.'
  if (status === 'past_due') {
    return `The last payment failed. Replace the card to pay now. Otherwise, the plan ends on ${day}.`
  }
  if (endsAtPeriodEnd) return `Ends on ${day} and won’t renew.`
  return `${next ? `Changes to ${planText(next)}` : 'Renews'} on ${day} for ${price}.`
}

/** The card that renewals are taken from, and another one in its place. */
function PortalCard({ page, path }: Props) {
  const { act, busy, failure } = useAct(path)
  return (
    <Section align="stretch" title="Your card">
      <Text role="status">{page.card ? testCards[page.card] : 'No card yet.'}</Text>
      <TestCardForm
        submit="Replace card"
        busyText="Replacing…"
        busy={busy}
        error={failure}
        onPay={(card) => act({ action: 'card', card })}
      />
    </Section>
  )
}

const steps: Record<TestClockStep, string> = {
  month: 'One month',
  period: 'To the end of the period',
  year: 'One year',
}

/** Moves the time of this account's payments, so that renewals can be seen without waiting for them. */
function PortalClock({ page, path }: Props) {
  const { act, acted, busy, failure } = useAct(path)
  const busyStep = acted?.action === 'advance' ? acted.step : null
  const isOver = !page.subscription || page.subscription.status === 'canceled'
  const offered = (Object.keys(steps) as TestClockStep[]).filter(
    (step) => !(isOver && step === 'period'),
  )
  return (
    <Section align="stretch" title="Advance the test clock">
      <Text>
        For billing, today is{' '}
        <Text component="span" fw={600} role="status">
          {formatDay(page.now)}
        </Text>
        . Renewals that come due are charged right away. Your QR codes and scans stay on real time.
      </Text>
      <FailureAlert message={failure} />
      <Group>
        {offered.map((step) => (
          <BusyButton
            key={step}
            variant="default"
            busy={busy}
            busyText={busyStep === step ? 'Advancing…' : steps[step]}
            onClick={() => act({ action: 'advance', step })}
          >
            {steps[step]}
          </BusyButton>
        ))}
      </Group>
    </Section>
  )
}
