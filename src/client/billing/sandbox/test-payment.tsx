import { Stack } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { PayPage } from '#contract/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { money, planText, priceText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import styles from '../billing.module.css'
import { Bill, PageHead, Panel } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { useAct } from './sandbox-calls.ts'

/** A first payment: the order, and the card. */
export function TestPayment({ page, path }: { page: PayPage; path: string }) {
  const { tier, billing, price, renewsAt, backTo } = page
  const { act, busy, failure } = useAct(path)
  return (
    <Stack gap="lg">
      <PageHead title={`Pay for ${plans[tier].name}`} backTo={backTo} back="Back to Plans" />
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
            onPay={(card) => act({ action: 'pay', card })}
          />
        </Panel>
      </div>
    </Stack>
  )
}
