// Mantine's styles come first, so that ours win: in this entry the order of imports decides.
import './ui/theme/mantine.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { SharedPage } from './pages/shared-page.tsx'
import { queryClient } from './query-client.ts'
import { PageBoundary } from './ui/messages/panel-boundary.tsx'
import { Toasts } from './ui/messages/toast.tsx'
import { Frame } from './ui/page/frame.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={queryClient}>
    <Frame>
      <PageBoundary>
        <SharedPage path={window.location.pathname.replace(/^\/s\//, '/api/share/')} />
      </PageBoundary>
      <Toasts />
    </Frame>
  </QueryClientProvider>,
)
