import './landing.css'
import { FeatureSections } from './feature-sections.tsx'
import { Hero } from './hero.tsx'
import { Pricing } from './pricing.tsx'
import { SiteFooter } from './site-footer.tsx'
import { TopNavigation } from './top-navigation.tsx'

export function LandingPage() {
  return (
    <>
      <TopNavigation />
      <main>
        <Hero />
        <FeatureSections pricing={<Pricing />} />
      </main>
      <SiteFooter />
    </>
  )
}
