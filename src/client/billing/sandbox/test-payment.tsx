import { Stack, Text } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { PayPage } from '#contract/sandbox.ts'
import { formatDay } from '../../ui/formats.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Bill } from '../bill.tsx'
import { Panel } from '../panel.tsx'
import { PaymentColumns } from '../payment/payment-columns.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { amountText, planText, priceText } from './amounts.ts'
import { PageHead } from './page-head.tsx'
import { useFinish } from './sandbox-calls.ts'

/** A first payment: what is bought, and the card. */
export function TestPayment({ page, path }: { page: PayPage; path: string }) {
  const { mutate, busy, failure } = useFinish(path)
  const due = amountText(page.due)
  return (
    <Stack gap="lg">
      <PageHead
        title={`Pay for ${plans[page.tier].name}`}
        backTo={page.backTo}
        back="Back to Plans"
      />
      {/* One boundary around both: nobody pays for an order that they cannot read. */}
      <PanelBoundary what="The payment">
        <PaymentColumns
          order={<Order page={page} due={due} />}
          form={
            <Panel title="Payment">
              <TestCardForm
                submit={`Pay ${due}`}
                busyText="Paying…"
                busy={busy}
                error={failure}
                onPay={(card) => mutate({ action: 'pay', card })}
              />
            </Panel>
          }
        />
      </PanelBoundary>
    </Stack>
  )
}

function Order({ page, due }: { page: PayPage; due: string }) {
  const credit = page.price - page.due
  return (
    <Panel title="Order summary">
      <Bill
        lines={[
          { what: planText(page), amount: amountText(page.price) },
          ...(credit > 0 ? [{ what: 'Your credit', amount: amountText(-credit) }] : []),
          { what: 'Due today', amount: due, strong: true },
        ]}
      />
      <Text size="sm" c="dimmed">
        Then {priceText(page.price, page.billing)}, from {formatDay(page.renewsAt)}, until you
        cancel.
      </Text>
    </Panel>
  )
}
