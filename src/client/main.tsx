import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './query-client.ts'
import { Screens } from './router.tsx'
import { Frame } from './ui/frame.tsx'
import { OtherAccount } from './ui/other-account.tsx'
import { Toasts } from './ui/toast.tsx'

const root = createRoot(document.getElementById('root') as HTMLElement)

// A transition is drawn in slices, so that a slow phone answers between them.
startTransition(() =>
  root.render(
    <QueryClientProvider client={queryClient}>
      <Frame>
        <Screens />
        <Toasts />
        <OtherAccount />
      </Frame>
    </QueryClientProvider>,
  ),
)
