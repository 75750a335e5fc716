import { hydrateRoot } from 'react-dom/client'
import { LandingPage } from './pages/landing/landing-page.tsx'

hydrateRoot(document.getElementById('root') as HTMLElement, <LandingPage />)
