import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PageBoundary } from './ui/messages/panel-boundary.tsx'
import { PageSpinner } from './ui/page/page.tsx'
import { TooltipLayer } from './ui/tooltip.tsx'

const dashboard = lateScreen(() => import('./pages/dashboard-page.tsx'))

/** The browser's paths. `/` is the dashboard here: signed-out visitors get the landing page instead. */
const screens: Record<string, LateScreen> = {
  '/': dashboard,
  '/dashboard': dashboard,
  '/profile': lateScreen(() => import('./pages/profile-page.tsx')),
  '/subscription': lateScreen(() => import('./pages/subscription-page.tsx')),
  '/connect': lateScreen(() => import('./pages/connect-page.tsx')),
}

export function Screens() {
  const [path] = useLocation()
  return (
    <>
      <PageBoundary key={path}>
        <Suspense fallback={<PageSpinner />}>
          <Switch>
            {Object.entries(screens).map(([at, screen]) => (
              <Route key={at} path={at}>
                <Shown screen={screen} />
              </Route>
            ))}
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
      <TooltipLayer />
    </>
  )
}

/** A screen's own part of the program: fetched ahead it shows at once, otherwise when it is first shown. */
type LateScreen = {
  load: () => Promise<{ default: ComponentType }>
  late: ComponentType
  fetched?: ComponentType
}

function lateScreen(load: LateScreen['load']): LateScreen {
  return { load, late: lazy(load) }
}

function Shown({ screen }: { screen: LateScreen }) {
  const Screen = screen.fetched ?? screen.late
  return <Screen />
}

/** Fetches the screen of a path. @returns undefined for an unknown path */
export function fetchScreen(path: string): Promise<void> | undefined {
  const screen = screens[path]
  return screen?.load().then((part) => {
    screen.fetched = part.default
  })
}
