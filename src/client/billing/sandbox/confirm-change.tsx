import { List, SimpleGrid, Stack, Text } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { ChangePage } from '#contract/sandbox.ts'
import { isRefusal } from '../../api.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { money, planText, priceText } from '../../ui/prices.ts'
import { Bill, PageHead, Panel } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { PlanChanges } from '../plans/plan-change.tsx'
import { useAct } from './sandbox-calls.ts'

/** Another plan instead of the one that is paid for: what it costs now, and what changes. */
export function ConfirmChange({ page, path }: { page: ChangePage; path: string }) {
  const { from, to, price, unused, due, isLater, endsAtPeriodEnd } = page
  const day = formatDay(page.renewsAt)
  const costs = isLater
    ? [{ what: `${planText(to)}, from ${day}`, amount: money(price) }]
    : [
        { what: `${planText(to)}, to ${day}`, amount: money(price) },
        { what: `Unused part of ${planText(from)}`, amount: `−${money(unused)}` },
      ]
  return (
    <Stack gap="lg">
      <PageHead
        title={from.tier === to.tier ? 'Change your billing' : `Change to ${plans[to.tier].name}`}
        backTo={page.backTo}
        back="Back to Plans"
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Panel title="What changes">
          <Text size="sm">
            {planText(to)} (now {planText(from)})
          </Text>
          <PlanChanges from={from.tier} to={to.tier} until={isLater ? page.renewsAt : null}>
            <List.Item>
              {endsAtPeriodEnd
                ? `Your plan is still canceled: it ends on ${day}.`
                : `Renews on ${day} for ${priceText(price, to.billing)}.`}
            </List.Item>
          </PlanChanges>
        </Panel>
        <Panel title="What you pay now">
          <Bill lines={[...costs, { what: 'Due now', amount: money(due), strong: true }]} />
          <Confirmation due={due} path={path} />
        </Panel>
      </SimpleGrid>
    </Stack>
  )
}

/** One press changes the plan; if the card on file is declined, another one can be given. */
function Confirmation({ due, path }: { due: number; path: string }) {
  const { act, acted, busy, error, failure } = useAct(path)
  const isCardAsked = acted?.action === 'confirm' && acted.card
  if (!isCardAsked && !isRefusal(error, 'card_declined')) {
    return (
      <>
        <FailureAlert message={failure} />
        <BusyButton
          fullWidth
          busy={busy}
          busyText="Changing…"
          onClick={() => act({ action: 'confirm' })}
        >
          {due > 0 ? `Confirm and pay ${money(due)}` : 'Confirm change'}
        </BusyButton>
      </>
    )
  }
  return (
    <TestCardForm
      takesFocus
      submit={`Pay ${money(due)} with this card`}
      busyText="Changing…"
      busy={busy}
      error={failure}
      onPay={(card) => act({ action: 'confirm', card })}
    />
  )
}
