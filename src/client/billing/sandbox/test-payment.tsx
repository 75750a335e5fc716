import { Stack } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { PayPage } from '#contract/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { money, planText, priceText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import styles from '../billing.module.css'
import { Bill, PageHead, Panel } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { useFinish } from './sandbox-calls.ts'

/** A first payment: the order, and the card. */
export function TestPayment({ page, path }: { page: PayPage; path: string }) {
  const { tier, billing, price, renewsAt, backTo } = page
  const { mutate, busy, failure } = useFinish(path)
  return (
    <Stack gap="lg">
      <PageHead title={`Pay for ${plans[tier].name}`} backTo={backTo} back="Back to Plans" />
      {/* One boundary around both: the button needs a readable order. */}
      <PanelBoundary what="The payment">
        <div className={styles.columns}>
          <Panel title="Order summary">
            <Bill
              lines={[
                { what: planText(page), amount: money(price) },
                { what: 'Due today', amount: money(price), strong: true },
              ]}
            />
            <Quiet>
              Then {priceText(price, billing)}, from {formatDay(renewsAt)}, until you cancel.
            </Quiet>
          </Panel>
          <Panel title="Payment">
            <TestCardForm
              submit={`Pay ${money(price)}`}
              busyText="Paying…"
              busy={busy}
              error={failure}
              onPay={(card) => mutate({ action: 'pay', card })}
            />
          </Panel>
        </div>
      </PanelBoundary>
    </Stack>
  )
}
