import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import type { User } from '#contract/accounts/accounts.ts'
import type { BillingPeriod } from '#contract/billing/plans.ts'
import { AccountFailure, AccountPage } from '../accounts/account-page.tsx'
import { useConfig, useUser } from '../accounts/queries.ts'
import { isUnauthorized } from '../api.ts'
import { PlanChoice } from '../billing/plans/plan-choice.tsx'
import { BillingToggle } from '../billing/plans/plan-grid.tsx'
import { tierInForce } from '../billing/plans/usage.ts'
import { useSubscription } from '../billing/queries.ts'
import { Late } from '../ui/dialog/late.tsx'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { signInAgain } from '../ui/messages/sign-in-again.ts'
import { BackLink, PageSpinner, PartSpinner, usePageTitle } from '../ui/page/page.tsx'
import { PlainButton } from '../ui/plain-button.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { TierBadge } from '../ui/tier-badge.tsx'
import { useMay } from '../workspace.ts'

/** Loaded only for a payment: comparing plans needs none of it. */
const loadPayment = () => import('../billing/payment/payment-step.tsx')

export default function SubscriptionPage() {
  const [wanted] = useSearchParams()
  usePageTitle(wanted.get('step') === 'pay' ? 'Payment' : 'Choose Your Plan')
  const user = useUser()
  const signedOut = isUnauthorized(user.error)
  const mayPay = useMay('POST /api/create-checkout-session')
  useEffect(() => {
    if (signedOut) signInAgain('Please log in to manage your subscription')
  }, [signedOut])

  if (user.isPending || signedOut) return <PageSpinner />
  if (user.isError) return <AccountFailure user={user} />
  if (!mayPay) return <Redirect to="/profile" replace />
  return (
    <AccountPage user={user.data}>
      {wanted.get('step') === 'pay' ? (
        <Payment user={user.data} session={wanted.get('session') ?? ''} />
      ) : (
        <Plans user={user.data} />
      )}
    </AccountPage>
  )
}

function Plans({ user }: { user: User }) {
  const [wanted] = useSearchParams()
  const mayRead = useMay('GET /api/qr-codes')
  const [billing, setBilling] = useState<BillingPeriod>(
    wanted.get('billing') === 'monthly' ? 'monthly' : 'annual',
  )
  const { data: config, isPending: isReadingConfig } = useConfig()
  const subscription = useSubscription({ enabled: true })
  // A press before these two are known would skip the question with its cost.
  if (isReadingConfig || subscription.isPending) return <PartSpinner label="Loading the plans" />
  const tier = tierInForce(subscription.data, user.subscriptionTier)
  const off = config?.billing === 'off'
  return (
    <Stack gap="lg">
      {mayRead ? <BackLink /> : <BackLink href="/profile">Back to Profile</BackLink>}
      <Group justify="space-between" align="center">
        <div>
          <Group gap="sm" mb={4}>
            <Title>Choose Your Plan</Title>
            {tier !== 'free' && <TierBadge tier={tier} prefix="Current Plan: " />}
          </Group>
          <Text c="dimmed">Upgrade your QR code management experience</Text>
        </div>
        <BillingToggle value={billing} onChange={setBilling} />
      </Group>
      <PlanChoice
        current={tier}
        subscription={subscription.data}
        billing={billing}
        wanted={wanted.get('tier')}
        off={off}
        isStripe={config?.billing === 'stripe'}
      />
      <NeedHelp supportEmail={config?.supportEmail} />
    </Stack>
  )
}

function NeedHelp({ supportEmail }: { supportEmail: string | null | undefined }) {
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="need-help">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4" id="need-help">
            Need Help?
          </Title>
          <Quiet>
            {supportEmail
              ? 'Questions about plans, payments, or limits? Write to us.'
              : 'See what each plan includes and what happens when it ends.'}
          </Quiet>
        </div>
        {supportEmail ? (
          <Button component="a" variant="default" href={`mailto:${supportEmail}`}>
            Contact Support
          </Button>
        ) : (
          <Group gap="sm">
            <Button component="a" variant="default" href="/api/help">
              Help Center
            </Button>
            <PlainButton onClick={() => window.location.assign('/api/contact')}>
              Contact Support
            </PlainButton>
          </Group>
        )}
      </Group>
    </Card>
  )
}

function Payment({ user, session }: { user: User; session: string }) {
  const config = useConfig()
  if (config.isError) return <LoadFailure what="The payment" reading={config} />
  const spinner = <PartSpinner label="Loading the payment" />
  if (config.isPending) return spinner
  return (
    <PanelBoundary what="The payment">
      <Late load={loadPayment} waiting={spinner}>
        {({ default: PaymentStep }) => (
          <PaymentStep
            session={session}
            current={user.subscriptionTier}
            publishableKey={config.data.publishableKey}
          />
        )}
      </Late>
    </PanelBoundary>
  )
}
