import { Container, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { User } from '#contract/accounts.ts'
import type { BillingPeriod } from '#contract/plans.ts'
import { useConfig, useUser } from '../accounts/queries.ts'
import { SiteHeader } from '../accounts/site-header.tsx'
import { isUnauthorized } from '../api.ts'
import { BillingToggle } from '../billing/billing-toggle.tsx'
import { NeedHelp } from '../billing/need-help.tsx'
import { PlanGrid } from '../billing/plan-grid.tsx'
import { useCheckout, useSubscription } from '../billing/queries.ts'
import { tierInForce } from '../billing/usage.ts'
import { BackLink } from '../ui/back-link.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { usePageTitle } from '../ui/page-title.ts'
import { signInAgain } from '../ui/sign-in-again.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { TierBadge } from '../ui/tier-badge.tsx'

export default function SubscriptionPage() {
  usePageTitle('Choose Your Plan')
  const user = useUser()
  const signedOut = isUnauthorized(user.error)
  useEffect(() => {
    if (signedOut) signInAgain('Please log in to manage your subscription')
  }, [signedOut])

  if (user.isPending || signedOut) return <PageSpinner />
  if (user.isError) {
    return (
      <Container component="main" size="sm" py="xl">
        <LoadFailure what="Your account" error={user.error} onRetry={user.refetch} />
      </Container>
    )
  }
  return <Plans user={user.data} />
}

function Plans({ user }: { user: User }) {
  const [wanted] = useSearchParams()
  const [billing, setBilling] = useState<BillingPeriod>(
    wanted.get('billing') === 'monthly' ? 'monthly' : 'annual',
  )
  const { data: config } = useConfig()
  const subscription = useSubscription({ enabled: true })
  const { choose, busyWith } = useCheckout()
  const tier = tierInForce(subscription.data, user.subscriptionTier)
  return (
    <>
      <SiteHeader user={user} />
      <Container component="main" size="xl" py="xl">
        <Stack gap="lg">
          <BackLink />
          <Group justify="space-between" align="center">
            <div>
              <Group gap="sm">
                <Title order={1} size="h2">
                  Choose Your Plan
                </Title>
                {tier !== 'free' && <TierBadge tier={tier} prefix="Current Plan: " />}
              </Group>
              <Text c="dimmed">Upgrade your QR code management experience</Text>
            </div>
            <BillingToggle value={billing} onChange={setBilling} />
          </Group>
          <PlanGrid
            current={tier}
            billing={billing}
            list="subscription"
            highlighted={wanted.get('tier')}
            busyWith={busyWith}
            onChoose={(chosen) => choose({ tier: chosen, billing })}
          />
          <NeedHelp supportEmail={config?.supportEmail} />
        </Stack>
      </Container>
    </>
  )
}
