import { List, SimpleGrid, Stack } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { ChangePage, TestCard } from '#contract/sandbox.ts'
import { isRefusal } from '../../api.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { money, planText, priceText } from '../../ui/prices.ts'
import { Bill, PageHead, Panel } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { planChange } from '../plans/plan-change.tsx'
import { usePlanUse } from '../queries.ts'
import { useFinish, usePortalCall } from './sandbox-calls.ts'

/** Another plan instead of the one that is paid for: what it costs now, and what changes. */
export function ConfirmChange({ page, path }: { page: ChangePage; path: string }) {
  const { from, to } = page
  return (
    <Stack gap="lg">
      <PageHead
        title={from.tier === to.tier ? 'Change your billing' : `Change to ${plans[to.tier].name}`}
        backTo={page.backTo}
        back="Back to Plans"
      />
      {/* One boundary around both: the button needs a readable price. */}
      <PanelBoundary what="The change of plan">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
          <Changes page={page} />
          <Costs page={page} path={path} />
        </SimpleGrid>
      </PanelBoundary>
    </Stack>
  )
}

function Changes({ page }: { page: ChangePage }) {
  const { from, to, price, renewsAt, isLater, endsAtPeriodEnd } = page
  const { data: use = null } = usePlanUse()
  return (
    <Panel title="What changes">
      <List size="sm" spacing={6}>
        <List.Item>
          {planText(to)} (now {planText(from)})
        </List.Item>
        {planChange({ from: from.tier, to: to.tier, use, until: isLater ? renewsAt : null }).map(
          (change) => (
            <List.Item key={change}>{change}</List.Item>
          ),
        )}
        <List.Item>
          {endsAtPeriodEnd
            ? `Your plan is still canceled: it ends on ${formatDay(renewsAt)}.`
            : `Renews on ${formatDay(renewsAt)} for ${priceText(price, to.billing)}.`}
        </List.Item>
      </List>
    </Panel>
  )
}

function Costs({ page, path }: { page: ChangePage; path: string }) {
  const { from, to, price, unused, due, isLater, renewsAt } = page
  return (
    <Panel title="What you pay now">
      <Bill
        lines={[
          ...(isLater
            ? [{ what: `${planText(to)}, from ${formatDay(renewsAt)}`, amount: money(price) }]
            : [
                { what: `${planText(to)}, to ${formatDay(renewsAt)}`, amount: money(price) },
                { what: `Unused part of ${planText(from)}`, amount: `−${money(unused)}` },
              ]),
          { what: 'Due now', amount: money(due), strong: true },
        ]}
      />
      <Confirmation due={due} path={path} />
    </Panel>
  )
}

/** One press changes the plan; if the card on file is declined, another one can be given. */
function Confirmation({ due, path }: { due: number; path: string }) {
  const finish = useFinish(path)
  const saveCard = usePortalCall(path)
  const text = due > 0 ? `Confirm and pay ${money(due)}` : 'Confirm change'
  const confirm = () => finish.mutate({ action: 'confirm' })
  if (!isRefusal(finish.error, 'card_declined') && !saveCard.isPending && !saveCard.error) {
    return (
      <>
        <FailureAlert message={finish.failure} />
        <BusyButton fullWidth busy={finish.busy} busyText="Changing…" onClick={confirm}>
          {text}
        </BusyButton>
      </>
    )
  }
  const payWith = (card: TestCard) =>
    saveCard.mutate({ action: 'card', body: { card } }, { onSuccess: confirm })
  return (
    <TestCardForm
      takesFocus
      submit={`Pay ${money(due)} with this card`}
      busyText="Changing…"
      busy={finish.busy || saveCard.isPending}
      error={saveCard.failure ?? finish.failure}
      onPay={payWith}
    />
  )
}
