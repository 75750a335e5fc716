import { createRoot } from 'react-dom/client'
import { SignInPage } from './pages/sign-in-page.tsx'
import { Frame } from './ui/frame.tsx'
import { PageBoundary } from './ui/panel-boundary.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <Frame>
    <PageBoundary>
      <SignInPage />
    </PageBoundary>
  </Frame>,
)
