import { Button, SimpleGrid, Stack, Title } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { User } from '#contract/accounts/accounts.ts'
import type { Subscription } from '#contract/billing/billing.ts'
import { AccountCard } from '../accounts/account-card.tsx'
import { AccountNotes } from '../accounts/account-notes.tsx'
import { AccountFailure, AccountPage } from '../accounts/account-page.tsx'
import { useConfig, useUser } from '../accounts/queries.ts'
import { useUserAnalytics } from '../analytics/queries.ts'
import { isUnauthorized } from '../api.ts'
import { BillingCard, PaymentProblem } from '../billing/plans/billing-card.tsx'
import { PAY_CHOSEN } from '../billing/plans/plan-choice.tsx'
import { PlanChooser } from '../billing/plans/plan-grid.tsx'
import { PlanFeatures, SubscriptionStatus } from '../billing/plans/subscription-status.tsx'
import { shownSubscription, tierInForce } from '../billing/plans/usage.ts'
import { useInvoices, usePaymentReturn, useSubscription } from '../billing/queries.ts'
import { Late } from '../ui/dialog/late.tsx'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { BackLink, CardPage, PageSpinner, usePageTitle } from '../ui/page/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { keepWorkspace, useMay } from '../workspace.ts'

/** Loaded only when a user opens them. */
const loadSettings = () => import('../accounts/settings/settings.tsx')
const loadFigureMails = () => import('../analytics/figure-mails.tsx')

export default function ProfilePage() {
  const [asked] = useSearchParams()
  const section = asked.get('settings')
  const top = useRef<HTMLDivElement>(null)
  // The link that opened or closed the settings is gone, and the focus with it.
  useDidUpdate(() => top.current?.focus(), [section === null])
  const user = useUser()
  const mayChooseMails = useMay('PUT /api/analytics/mails')
  // A member who still has to set up two-step verification may read neither.
  const isRead = user.isSuccess && section !== 'sign-in'
  const subscription = useSubscription({ enabled: isRead })
  const mayRead = useMay('GET /api/analytics/user')
  const analytics = useUserAnalytics({ enabled: isRead && mayRead })
  if (isUnauthorized(user.error)) return <SignedOut section={section} />
  if (user.isError) return <AccountFailure user={user} />
  if (user.isPending) return <PageSpinner />
  const isReady = section !== null || !(subscription.isPending || analytics.isLoading)
  if (!isReady) return <PageSpinner />
  return (
    <AccountPage user={user.data} ref={top}>
      {section === null ? (
        <Profile
          user={user.data}
          subscription={shownSubscription(subscription, analytics.data?.totalQrCodes)}
          reading={subscription}
        />
      ) : (
        <PanelBoundary what="Your settings">
          {user.data.demo === 'live' && <AccountNotes user={user.data} />}
          <Late load={loadSettings} waiting={<Spinner label="Loading your settings" />}>
            {({ default: Settings }) => (
              <Settings
                user={user.data}
                asked={section}
                figureMails={mayChooseMails && <FigureMailsPart user={user.data} />}
              />
            )}
          </Late>
        </PanelBoundary>
      )}
    </AccountPage>
  )
}

function FigureMailsPart({ user }: { user: User }) {
  return (
    <Late load={loadFigureMails} waiting={<Spinner label="Loading your choice" />}>
      {({ default: FigureMails }) => (
        <FigureMails timeZone={user.timeZone} isPaid={user.subscriptionTier !== 'free'} />
      )}
    </Late>
  )
}

/** Mails lead to parts of the settings: signing in leads on to them. */
function SignedOut({ section }: { section: string | null }) {
  const here = encodeURIComponent(keepWorkspace(`/profile?settings=${section}`))
  const login = section === null ? '/api/login' : `/api/login?returnTo=${here}`
  usePageTitle('Profile')
  return (
    <CardPage>
      <Stack align="flex-start">
        <Title>Please log in</Title>
        <Button component="a" href={login} fullWidth>
          Log In
        </Button>
      </Stack>
    </CardPage>
  )
}

type Props = {
  user: User
  /** Missing if it cannot be read. */
  subscription: Subscription | null | undefined
  reading: ReturnType<typeof useSubscription>
}

function Profile({ user, subscription, reading }: Props) {
  usePageTitle('Profile')
  const [, navigate] = useLocation()
  const [choosing, setChoosing] = useState(false)
  const mayRead = useMay('GET /api/qr-codes')
  const { data: config } = useConfig()
  // A plan that the operator gave has no billing.
  const mayPay = useMay('GET /api/user/invoices')
  const hasPayments = config !== undefined && config.billing !== 'off' && mayPay
  const paidFor = hasPayments && subscription?.billing ? subscription : null
  const invoices = useInvoices({ enabled: paidFor !== null })
  usePaymentReturn()
  const tier = tierInForce(subscription, user.subscriptionTier)
  const top = useRef<HTMLDivElement>(null)
  // The button that switched the view is gone, and the focus with it.
  useDidUpdate(() => top.current?.focus(), [choosing])
  if (choosing) {
    return (
      <div ref={top} tabIndex={-1}>
        <PlanChooser
          current={tier}
          off={config?.billing === 'off'}
          onBack={() => setChoosing(false)}
          onChoose={(chosen, billing) =>
            navigate(`/subscription?tier=${chosen}&billing=${billing}`, { state: PAY_CHOSEN })
          }
        />
      </div>
    )
  }
  const choose = () => setChoosing(true)
  return (
    <Stack gap="lg" ref={top} tabIndex={-1}>
      <AccountNotes user={user} />
      {mayRead && <BackLink />}
      <Title>Profile</Title>
      {paidFor && <PaymentProblem subscription={paidFor} />}
      <AccountCard
        user={user}
        action={
          <Button component={Link} href="/profile?settings=you" variant="default">
            Account settings
          </Button>
        }
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {subscription ? (
          <SubscriptionStatus subscription={subscription} tier={tier} onUpgrade={choose} />
        ) : (
          <LoadFailure what="Your subscription" reading={reading} />
        )}
        <PlanFeatures tier={tier} onViewPlans={choose} />
      </SimpleGrid>
      {paidFor && <BillingCard subscription={paidFor} invoices={invoices} />}
    </Stack>
  )
}
