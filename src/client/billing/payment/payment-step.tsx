import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Payment } from '#contract/billing/billing.ts'
import { chargeInCents, plans, type Tier } from '#contract/billing/plans.ts'
import type { TestCard } from '#contract/billing/sandbox.ts'
import { ApiError, isRefusal, serverMessageOf } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showFieldErrors } from '../../ui/field-errors.ts'
import formStyles from '../../ui/form.module.css'
import { LATE_PART, LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/messages/sign-in-again.ts'
import { BackLink, PartSpinner } from '../../ui/page/page.tsx'
import { money, monthlyPrice, taxNote } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { Section } from '../../ui/section.tsx'
import styles from '../billing.module.css'
import { payByTestCard, usePayment, usePromotion } from '../calls.ts'
import { Bill } from '../panel.tsx'
import { discountText, PlanChanges } from '../plans/plan-change.tsx'
import { useTaxBehaviors } from '../queries.ts'
import { AddressForm } from './address-form.tsx'
import { showPaymentResult, usePaying } from './payment-return.ts'
import { StripeForm } from './stripe-form.tsx'
import { TestCardForm } from './test-card-form.tsx'

type Props = { session: string; current: Tier; publishableKey: string | null }

/** A payment that is made on our page, not on the provider's. */
export default function PaymentStep({ session, current, publishableKey }: Props) {
  const payment = usePayment(session)
  const signedOut = useSignedOut(payment.error)
  if (payment.isPending || signedOut) return <PartSpinner label="Loading the payment" />
  if (isRefusal(payment.error, 'payment_made')) return <PaymentMade />
  if (payment.isError) return <NoPayment payment={payment} />
  return <OpenPayment payment={payment.data} current={current} publishableKey={publishableKey} />
}

/** The bill was paid before, as in another tab: the dashboard shows the plan. */
function PaymentMade() {
  const [, navigate] = useLocation()
  useEffect(() => {
    void showPaymentResult().then(() => navigate('/dashboard', { replace: true }))
  }, [navigate])
  return <PartSpinner label="Loading your plan" />
}

function NoPayment({ payment }: { payment: ReturnType<typeof usePayment> }) {
  const { error } = payment
  const isOver = error instanceof ApiError && error.status === 404
  return (
    <Stack gap="lg">
      <BackLink href="/subscription">Back to Plans</BackLink>
      <Title>{isOver ? 'There’s nothing to pay here' : 'Payment'}</Title>
      {isOver ? (
        <Stack align="flex-start">
          <Text c="dimmed">{serverMessageOf(error)}</Text>
          <Button component={Link} href="/subscription">
            Choose a plan
          </Button>
        </Stack>
      ) : (
        <LoadFailure what="The payment" reading={payment} />
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
      <Title>Complete Your {plans[tier].name} Subscription</Title>
      <div className={styles.columns}>
        <OrderSummary payment={payment} current={current} />
        <Section align="stretch" title={payment.needsAddress ? 'Billing address' : 'Payment'}>
          <PaymentForm payment={payment} publishableKey={publishableKey} />
        </Section>
      </div>
    </Stack>
  )
}

function PaymentForm({ payment, publishableKey }: Omit<OpenProps, 'current'>) {
  const texts = { submit: `Subscribe to ${plans[payment.tier].name}`, busyText: 'Processing...' }
  if (payment.provider === 'sandbox') return <SandboxForm id={payment.id} {...texts} />
  const { id, clientSecret, needsAddress } = payment
  if (!publishableKey || !(clientSecret || needsAddress)) {
    return <LoadFailure what="The card form" reading={LATE_PART} />
  }
  if (!clientSecret) return <AddressForm id={id} publishableKey={publishableKey} />
  // Its fields belong to one payment.
  const form = { ...texts, clientSecret, publishableKey }
  return <StripeForm key={clientSecret} {...form} />
}

function SandboxForm({ id, ...texts }: { id: string; submit: string; busyText: string }) {
  const { pay, busy, failure } = usePaying((card: TestCard) => payByTestCard(id, card))
  return <TestCardForm {...texts} busy={busy} error={failure} onPay={pay} />
}

/** The plan, what it costs today and later, and what it changes. */
function OrderSummary({ payment, current }: { payment: Payment; current: Tier }) {
  const { id, tier, billing, amount, tax, discount, clientSecret, needsAddress } = payment
  const plan = plans[tier]
  const note = taxNote(useTaxBehaviors(), payment)
  const price = money(chargeInCents(plan, billing))
  const renewal = [price, note].filter(Boolean).join(' ')
  const period = billing === 'annual' ? 'year' : 'month'
  return (
    <Section align="stretch" title="Order summary">
      <Bill
        lines={[
          { what: plan.name, amount: `${monthlyPrice(plan, billing)}/month` },
          { what: 'Billed', amount: billing === 'annual' ? `${price} annually` : 'monthly' },
          ...(discount
            ? [{ what: discountText(discount, 'today'), amount: `−${money(discount.taken)}` }]
            : []),
          ...(tax === undefined ? [] : [{ what: 'Tax', amount: money(tax) }]),
          { what: needsAddress ? 'Price' : 'Due today', amount: money(amount), strong: true },
        ]}
      />
      <Quiet>
        {/* A discount that lasts lowers renewals, too. */}
        Renews {(!discount || discount.lasts === 'once') && `at ${renewal} `}every {period}. Cancel
        anytime in your profile.
      </Quiet>
      {clientSecret && <PromotionCode id={id} />}
      <PlanChanges from={current} to={tier} />
    </Section>
  )
}

/** The field for a promotion code. The page loads again with what the code changes. */
function PromotionCode({ id }: { id: string }) {
  const form = useForm({ initialValues: { code: '' } })
  const { go: apply, busy } = usePromotion(id, (error) =>
    showFieldErrors(form, error, { promotion_refused: 'code' }),
  )
  const submit = form.onSubmit(({ code }) => {
    if (!busy && code.trim() !== '') apply(code)
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextInput
        label="Promotion code"
        autoComplete="off"
        spellCheck={false}
        inputContainer={(input) => (
          <div className={formStyles.entry}>
            {input}
            <BusyButton type="submit" variant="default" busy={busy} busyText="Applying...">
              Apply
            </BusyButton>
          </div>
        )}
        {...form.getInputProps('code')}
      />
    </form>
  )
}
