// Mantine's styles come first, so that ours win: the order of imports decides.
import './ui/theme/mantine.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { readAhead } from './accounts/queries.ts'
import { queryClient } from './query-client.ts'
import { fetchScreen, Screens } from './router.tsx'
import { OtherAccount } from './ui/messages/other-account.tsx'
import { Toasts } from './ui/messages/toast.tsx'
import { Frame, stylesArrived } from './ui/page/frame.tsx'
import { keepWorkspace } from './workspace.ts'

/**
 * The shell stays until there is a screen to show. Drawn earlier, React would show a spinner of its
 * own, and keep it for 300 ms although the screen is there.
 */
async function screenArrived(): Promise<void> {
  const screen = fetchScreen(window.location.pathname)
  await Promise.allSettled([screen, screen && readAhead(), stylesArrived()])
}

screenArrived().then(() => {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  // A transition is drawn in slices, so that a slow phone answers between them.
  startTransition(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <Frame>
          {/* All links stay in the page's workspace. */}
          <Router
            hrefs={(to) => keepWorkspace(to)}
            aroundNav={(go, to, options) => go(keepWorkspace(to), options)}
          >
            <Screens />
          </Router>
          <Toasts />
          <OtherAccount />
        </Frame>
      </QueryClientProvider>,
    ),
  )
})
