import { createRoot } from 'react-dom/client'
import { SignInPage } from './pages/sign-in-page.tsx'
import { Frame } from './ui/frame.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <Frame>
    <SignInPage />
  </Frame>,
)
