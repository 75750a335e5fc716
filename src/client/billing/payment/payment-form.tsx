import type { Payment } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import type { TestCard } from '#contract/sandbox.ts'
import { LoadFailure } from '../../ui/failure-alert.tsx'
import { payByTestCard } from '../queries.ts'
import { usePaying } from './paying.ts'
import { StripeForm } from './stripe-form.tsx'
import { TestCardForm } from './test-card-form.tsx'

type Props = { payment: Payment; publishableKey: string | null }

export function PaymentForm({ payment, publishableKey }: Props) {
  const texts = { submit: `Subscribe to ${plans[payment.tier].name}`, busyText: 'Processing...' }
  if (payment.provider === 'sandbox') return <SandboxForm id={payment.id} {...texts} />
  const { clientSecret } = payment
  if (!clientSecret || !publishableKey) {
    return (
      <LoadFailure what="The card form" error={null} onRetry={() => window.location.reload()} />
    )
  }
  return <StripeForm {...texts} clientSecret={clientSecret} publishableKey={publishableKey} />
}

function SandboxForm({ id, ...texts }: { id: string; submit: string; busyText: string }) {
  const { pay, busy, failure } = usePaying((card: TestCard) => payByTestCard(id, card))
  return <TestCardForm {...texts} busy={busy} error={failure} onPay={pay} />
}
