import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { Payment } from '#contract/billing.ts'
import { plans, type Tier } from '#contract/plans.ts'
import type { TestCard } from '#contract/sandbox.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { BackLink } from '../../ui/page/page.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Panel } from '../panel.tsx'
import { payByTestCard, usePayment } from '../queries.ts'
import { OrderSummary } from './order-summary.tsx'
import { usePaying } from './paying.ts'
import styles from './payment-columns.module.css'
import { StripeForm } from './stripe-form.tsx'
import { TestCardForm } from './test-card-form.tsx'

type Props = { session: string; current: Tier; publishableKey: string | null }

/** A payment that is made on our page, not on the provider's. */
export default function PaymentStep({ session, current, publishableKey }: Props) {
  const payment = usePayment(session)
  const signedOut = useSignedOut(payment.error)
  if (payment.isPending || signedOut) {
    return (
      <Center py={96}>
        <Spinner label="Loading the payment" />
      </Center>
    )
  }
  if (payment.isError) return <NoPayment error={payment.error} onRetry={payment.refetch} />
  return <OpenPayment payment={payment.data} current={current} publishableKey={publishableKey} />
}

function NoPayment({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isOver = error instanceof ApiError && error.status === 404
  return (
    <Stack gap="lg">
      <BackLink href="/subscription">Back to Plans</BackLink>
      <Title order={1} size="h2">
        {isOver ? 'There is nothing to pay here' : 'Payment'}
      </Title>
      {isOver ? (
        <Stack align="flex-start">
          <Text c="dimmed">{serverMessageOf(error)}</Text>
          <Button component={Link} href="/subscription">
            Choose a plan
          </Button>
        </Stack>
      ) : (
        <LoadFailure what="The payment" error={error} onRetry={onRetry} />
      )}
    </Stack>
  )
}

type OpenProps = Omit<Props, 'session'> & { payment: Payment }

function OpenPayment({ payment, current, publishableKey }: OpenProps) {
  const { tier, billing } = payment
  return (
    <Stack gap="lg">
      <BackLink href={`/subscription?tier=${tier}&billing=${billing}`}>Back to Plans</BackLink>
      <Title order={1} size="h2">
        Complete Your {plans[tier].name} Subscription
      </Title>
      <div className={styles.columns}>
        <OrderSummary payment={payment} current={current} />
        <Panel title="Payment">
          <PaymentForm payment={payment} publishableKey={publishableKey} />
        </Panel>
      </div>
    </Stack>
  )
}

function PaymentForm({ payment, publishableKey }: Omit<OpenProps, 'current'>) {
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
