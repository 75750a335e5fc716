import { SimpleGrid, Stack, Text } from '@mantine/core'
import { plans } from '#contract/billing/plans.ts'
import type { OrderPage } from '#contract/billing/sandbox.ts'
import { isRefusal } from '../../api.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { money, planText, priceText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { Section } from '../../ui/section.tsx'
import { Bill, PageHead } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { PlanChanges } from '../plans/plan-change.tsx'
import { useAct } from './sandbox-calls.ts'

type Props = { page: OrderPage; path: string }

/** A first payment, or another plan instead of the one that is paid for: what it costs, and the payment. */
export function Order({ page, path }: Props) {
  const { from, to, price, due, isLater, renewsAt, endsAtPeriodEnd } = page
  const day = formatDay(renewsAt)
  const { name } = plans[to.tier]
  const change = from?.tier === to.tier ? 'Change your billing' : `Change to ${name}`
  const less = from && !isLater
  const { act, acted, busy, error, failure } = useAct(path)
  // For a change one press is enough, unless the card on file was declined.
  const hasCard = acted?.action === 'pay' && acted.card
  const asksForCard = !from || hasCard || isRefusal(error, 'card_declined')
  return (
    <Stack gap="lg">
      <PageHead
        title={from ? change : `Pay for ${name}`}
        backTo={page.backTo}
        back="Back to Plans"
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Section align="stretch" title="Order summary">
          <Bill
            lines={[
              { what: `${planText(to)}${isLater ? `, from ${day}` : ''}`, amount: money(price) },
              ...(less
                ? [{ what: `Unused part of ${planText(from)}`, amount: `−${money(price - due)}` }]
                : []),
              { what: 'Due today', amount: money(due), strong: true },
            ]}
          />
          <Quiet>
            {endsAtPeriodEnd
              ? `Your plan is still canceled: it ends on ${day}.`
              : `Then ${priceText(price, to.billing)}, from ${day}, until you cancel.`}
          </Quiet>
          {from && (
            <>
              <Text size="sm">Your plan now: {planText(from)}.</Text>
              <PlanChanges from={from.tier} to={to.tier} until={isLater ? renewsAt : null} />
            </>
          )}
        </Section>
        <Section align="stretch" title="Payment">
          {asksForCard ? (
            <TestCardForm
              takesFocus={from !== null}
              submit={from ? `Pay ${money(due)} with this card` : `Pay ${money(due)}`}
              busyText="Paying…"
              busy={busy}
              error={failure}
              onPay={(card) => act({ action: 'pay', card })}
            />
          ) : (
            <>
              <FailureAlert message={failure} />
              <BusyButton
                fullWidth
                busy={busy}
                busyText="Changing…"
                onClick={() => act({ action: 'pay' })}
              >
                {due > 0 ? `Confirm and pay ${money(due)}` : 'Confirm change'}
              </BusyButton>
            </>
          )}
        </Section>
      </SimpleGrid>
    </Stack>
  )
}
