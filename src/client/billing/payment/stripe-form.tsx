import { Alert, Center, Stack, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton } from '../../ui/busy-button.tsx'
import { LoadFailure } from '../../ui/failure-alert.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { BAD_TEXT } from '../../ui/theme.ts'
import { PaymentRefused, usePaying } from './paying.ts'
import { stripeLook } from './stripe-look.ts'

type Texts = { submit: string; busyText: string }
type Props = Texts & { clientSecret: string; publishableKey: string }

/**
 * Stripe's Payment Element: what is typed into it never comes to us. Stripe's script comes from
 * Stripe, and only to those who are about to pay by it.
 */
export function StripeForm({ clientSecret, publishableKey, ...texts }: Props) {
  const scheme = useComputedColorScheme('light')
  const stripe = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => loadStripe(publishableKey),
    structuralSharing: false,
  })
  if (stripe.isError) {
    return <LoadFailure what="The card form" error={stripe.error} onRetry={stripe.refetch} />
  }
  if (!stripe.data) return <Loading />
  return (
    <Elements stripe={stripe.data} options={{ clientSecret, appearance: stripeLook(scheme) }}>
      <CardForm {...texts} />
    </Elements>
  )
}

function Loading() {
  return (
    <Center py="xl">
      <Spinner label="Loading the card form" />
    </Center>
  )
}

type Stage = 'loading' | 'ready' | 'failed'

function CardForm({ submit, busyText }: Texts) {
  const [stage, setStage] = useState<Stage>('loading')
  const confirm = useConfirmation()
  const { pay, busy, failure } = usePaying(confirm)
  if (stage === 'failed') {
    return (
      <LoadFailure what="The card form" error={null} onRetry={() => window.location.reload()} />
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && stage === 'ready') pay()
      }}
    >
      <Stack>
        {failure && (
          <Alert color={BAD_TEXT} variant="outline">
            {failure}
          </Alert>
        )}
        {stage === 'loading' && <Loading />}
        <PaymentElement onReady={() => setStage('ready')} onLoadError={() => setStage('failed')} />
        {stage === 'ready' && (
          <BusyButton type="submit" fullWidth busy={busy} busyText={busyText}>
            {submit}
          </BusyButton>
        )}
        <VisuallyHidden role="status">{busy ? busyText : ''}</VisuallyHidden>
      </Stack>
    </form>
  )
}

/** Confirms what is in the form; methods that need another page come back to the dashboard. */
function useConfirmation(): () => Promise<void> {
  const stripe = useStripe()
  const elements = useElements()
  return async () => {
    if (!stripe || !elements) throw new PaymentRefused('The card form is not ready yet.')
    const { error } = await stripe.confirmPayment({
      elements,
      confirmParams: { return_url: `${window.location.origin}/dashboard` },
      redirect: 'if_required',
    })
    // A second try of what has been paid is refused as well.
    const isPaid = error?.payment_intent?.status === 'succeeded'
    if (error && !isPaid) throw new PaymentRefused(error.message)
  }
}
