import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { Payment } from '#contract/billing.ts'
import { plans, type Tier } from '#contract/plans.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import { LoadFailure } from '../../ui/failure-alert.tsx'
import { BackLink } from '../../ui/page.tsx'
import { useSignedOut } from '../../ui/signed-out.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Panel } from '../panel.tsx'
import { usePayment } from '../queries.ts'
import { OrderSummary } from './order-summary.tsx'
import { PaymentColumns } from './payment-columns.tsx'
import { PaymentForm } from './payment-form.tsx'

type Props = { session: string; current: Tier; publishableKey: string | null }

/** A payment that is made here, not on a page of the provider's. */
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
        {isOver ? 'There is no payment to make here' : 'Payment'}
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
      <PaymentColumns
        order={<OrderSummary payment={payment} current={current} />}
        form={
          <Panel title="Payment">
            <PaymentForm payment={payment} publishableKey={publishableKey} />
          </Panel>
        }
      />
    </Stack>
  )
}
