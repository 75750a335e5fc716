import './landing.css'
import { FeatureSections } from './feature-sections.tsx'
import { Hero } from './hero.tsx'
import { Pricing } from './pricing.tsx'
import { TopNavigation } from './top-navigation.tsx'

/**
 * All of the page that the script takes over. The footer stands below it as mere markup, since the
 * server fills in the operator's links there.
 */
export function LandingPage({ example }: { example: string }) {
  return (
    <>
      <TopNavigation />
      <main>
        <Hero example={example} />
        <FeatureSections pricing={<Pricing />} />
      </main>
    </>
  )
}
