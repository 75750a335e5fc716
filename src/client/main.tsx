import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { queryClient } from './query-client.ts'
import { Screens } from './router.tsx'
import { Frame } from './ui/frame.tsx'
import { OtherAccount } from './ui/other-account.tsx'
import { Toasts } from './ui/toast.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={queryClient}>
    <Frame>
      <Screens />
      <Toasts />
      <OtherAccount />
    </Frame>
  </QueryClientProvider>,
)
