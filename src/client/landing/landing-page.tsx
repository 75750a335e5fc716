import './landing.css'
import { ErrorBoundary } from 'react-error-boundary'
import { FeatureSections } from './feature-sections.tsx'
import { LiveCode } from './live-code.tsx'
import styles from './page-parts.module.css'
import { ButtonLink } from './page-parts.tsx'
import { Pricing } from './pricing.tsx'
import { TopNavigation } from './top-navigation.tsx'

/**
 * The part of the page that the script takes over. The footer stands below it as mere markup: the
 * server fills in the operator's links there. `example` is the picture of the first code.
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

/** What Tessera is, and a code to try it on. */
function Hero({ example }: { example: string }) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <div className={styles.promise}>
          <h1>Create &amp; Manage QR Codes Like a Pro</h1>
          <p>
            Print a code once and change where it leads for ever after. Your style, your colours,
            and every scan counted.
          </p>
          <div className={styles.actions}>
            <ButtonLink>Start Free Trial</ButtonLink>
            <ButtonLink href="#dashboard" quiet>
              View Demo
            </ButtonLink>
          </div>
        </div>
        <ErrorBoundary fallback={<LiveCrash />}>
          <LiveCode example={example} />
        </ErrorBoundary>
      </div>
    </section>
  )
}

const LiveCrash = () => (
  <p role="alert">The preview could not be shown. Reload the page to try again.</p>
)
