// Mantine's styles come first, so that ours win: the order of imports decides.
import './ui/theme/mantine.css'
import { createRoot } from 'react-dom/client'
import { takeToken } from './accounts/sign-in/mailed-token.ts'
import { SignInPage } from './pages/sign-in-page.tsx'
import { PageBoundary } from './ui/messages/panel-boundary.tsx'
import { Frame, stylesArrived } from './ui/page/frame.tsx'

takeToken()

stylesArrived().then(() =>
  createRoot(document.getElementById('root') as HTMLElement).render(
    <Frame>
      <PageBoundary>
        <SignInPage />
      </PageBoundary>
    </Frame>,
  ),
)
