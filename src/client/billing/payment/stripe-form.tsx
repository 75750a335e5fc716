import { Stack, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, StripeElementsOptions } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert, LATE_PART, LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PartSpinner } from '../../ui/page/page.tsx'
import { PaymentRefused, usePaying } from './payment-return.ts'

const PAYMENT_OVER = 'This payment is no longer open. Choose a plan to start again.'

type Texts = { submit: string; busyText: string }
type What = 'card form' | 'address form'
type Props = Texts & { clientSecret: string; publishableKey: string }

/** Stripe's Payment Element: we never see what is typed into it. */
export function StripeForm({ clientSecret, publishableKey, ...texts }: Props) {
  return (
    <StripeFields what="card form" publishableKey={publishableKey} options={{ clientSecret }}>
      <CardForm {...texts} />
    </StripeFields>
  )
}

type FieldsProps = {
  what: What
  publishableKey: string
  options: StripeElementsOptions
  children: ReactNode
}

/** Fields of Stripe's. Stripe's script comes from Stripe, and is loaded only here. */
export function StripeFields({ what, publishableKey, options, children }: FieldsProps) {
  const scheme = useComputedColorScheme('light')
  const stripe = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => loadStripe(publishableKey),
    structuralSharing: false,
  })
  if (stripe.isError) return <LoadFailure what={`The ${what}`} reading={stripe} />
  if (!stripe.data) return <Loading what={what} />
  return (
    <Elements stripe={stripe.data} options={{ ...options, appearance: appearance(scheme) }}>
      {children}
    </Elements>
  )
}

function Loading({ what }: { what: What }) {
  return <PartSpinner label={`Loading the ${what}`} py="xl" />
}

type Stage = 'loading' | 'ready' | 'failed'
type ElementEvents = { onReady: () => void; onLoadError: () => void }

type ElementFormProps = Texts & {
  what: What
  busy: boolean
  failure?: string | null
  /** One of Stripe's elements. */
  element: (events: ElementEvents) => ReactNode
  onSubmit: () => void
}

/** A form around one of Stripe's elements. */
export function ElementForm(props: ElementFormProps) {
  const { what, submit, busyText, busy, failure = null, element, onSubmit } = props
  const [stage, setStage] = useState<Stage>('loading')
  if (stage === 'failed') {
    return <LoadFailure what={`The ${what}`} reading={LATE_PART} />
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && stage === 'ready') onSubmit()
      }}
    >
      <Stack>
        <FailureAlert message={failure} />
        {stage === 'loading' && <Loading what={what} />}
        {element({ onReady: () => setStage('ready'), onLoadError: () => setStage('failed') })}
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

function CardForm(texts: Texts) {
  const { pay, busy, failure } = usePaying(useConfirmation())
  return (
    <ElementForm
      {...texts}
      what="card form"
      busy={busy}
      failure={failure}
      element={(events) => <PaymentElement {...events} />}
      onSubmit={() => pay()}
    />
  )
}

/** Confirms the payment; methods that need another page come back to the dashboard. */
function useConfirmation(): () => Promise<void> {
  const stripe = useStripe()
  const elements = useElements()
  return async () => {
    if (!stripe || !elements) throw new PaymentRefused('The card form isn’t ready yet.')
    const confirmParams = { return_url: `${window.location.origin}/dashboard` }
    const { error } = await stripe.confirmPayment({
      elements,
      confirmParams,
      redirect: 'if_required',
    })
    const status = error?.payment_intent?.status
    // Another tab can have replaced the payment.
    if (status === 'canceled') throw new PaymentRefused(PAYMENT_OVER)
    // Stripe also refuses the second try of a payment that was made.
    if (error && status !== 'succeeded') throw new PaymentRefused(error.message)
  }
}

type Scheme = 'light' | 'dark'

/** Our colours in Stripe's fields. */
function appearance(scheme: Scheme): Appearance {
  const of = (name: string) => colour(name, scheme)
  return {
    theme: scheme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: of('--accent-text'),
      colorBackground: of('--panel'),
      colorText: of('--text'),
      colorTextSecondary: of('--quiet'),
      colorTextPlaceholder: of('--quiet'),
      colorDanger: of('--bad'),
      borderRadius: '8px',
      fontFamily: 'Figtree, system-ui, sans-serif',
      fontSizeBase: '16px',
    },
    rules: { '.Input': { border: `1px solid ${of('--edge')}`, boxShadow: 'none' } },
  }
}

/** The value of one of our CSS variables: Stripe's frame does not know them. */
function colour(name: string, scheme: Scheme): string {
  const probe = document.createElement('span')
  probe.style.colorScheme = scheme
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
