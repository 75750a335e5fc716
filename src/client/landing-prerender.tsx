import { renderToString } from 'react-dom/server'
import { LandingPage } from './pages/landing/landing-page.tsx'

/** The landing page's markup, put into landing.html by the build. */
export function render(): string {
  return renderToString(<LandingPage />)
}
