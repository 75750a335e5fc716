import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { DEMO_PLACEHOLDER } from '#contract/codes/placeholders.ts'
import { LandingPage } from './landing/landing-page.tsx'
import { PrintSections } from './landing/print-sections.tsx'
import { SiteFooter } from './landing/site-footer.tsx'

/** The landing page's markup, put into landing.html by the build, each part at the mark of its name. */
export async function render() {
  // As the page itself loads it, so that it stays a part of its own.
  const { drawExample } = await import('./landing/live-drawing.ts')
  return {
    page: renderToString(
      <LandingPage
        example={drawExample()}
        demo={DEMO_PLACEHOLDER}
        end={renderToStaticMarkup(<PrintSections />)}
      />,
    ),
    footer: renderToStaticMarkup(<SiteFooter />),
  }
}
