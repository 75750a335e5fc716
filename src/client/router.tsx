import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PageSpinner } from './ui/page.tsx'
import { PageBoundary } from './ui/panel-boundary.tsx'
import { TooltipLayer } from './ui/tooltip.tsx'

const DashboardPage = lazy(() => import('./pages/dashboard-page.tsx'))
const ProfilePage = lazy(() => import('./pages/profile-page.tsx'))
const SubscriptionPage = lazy(() => import('./pages/subscription-page.tsx'))

/** The browser's paths. `/` is the dashboard here: signed-out visitors get the landing page instead. */
export function Screens() {
  const [path] = useLocation()
  return (
    <>
      <PageBoundary key={path}>
        <Suspense fallback={<PageSpinner />}>
          <Switch>
            <Route path="/" component={DashboardPage} />
            <Route path="/dashboard" component={DashboardPage} />
            <Route path="/profile" component={ProfilePage} />
            <Route path="/subscription" component={SubscriptionPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
      <TooltipLayer />
    </>
  )
}
