import './landing.css'
import { ErrorBoundary } from 'react-error-boundary'
import { FeatureSections } from './feature-sections.tsx'
import { LiveCode } from './live-code.tsx'
import styles from './page-parts.module.css'
import { ButtonLink } from './page-parts.tsx'
import { Pricing } from './pricing.tsx'
import { TopNavigation } from './top-navigation.tsx'

/** Parts that the build and the server have put into the page, so that no script has to carry them. */
export type Drawn = {
  /** The picture of the first code */
  example: string
  /** The way into the live demo, on servers that have one */
  demo: string
  /** The sections below those with something to choose */
  end: string
}

/**
 * The part of the page that the script takes over. The footer stands below it as mere markup: the
 * server fills in the operator's links there.
 */
export function LandingPage({ example, demo, end }: Drawn) {
  return (
    <>
      <TopNavigation />
      <main>
        <Hero example={example} />
        <FeatureSections pricing={<Pricing />} demo={<AsDrawn part="demo" html={demo} />} />
        <AsDrawn part="end" html={end} />
      </main>
    </>
  )
}

/** Markup that is in the page already and stays as it is. */
function AsDrawn({ part, html }: { part: 'demo' | 'end'; html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own markup, from the build and the server
  return <div data-drawn={part} dangerouslySetInnerHTML={{ __html: html }} />
}

/** A word on Tessera, and a code to try it on. */
function Hero({ example }: { example: string }) {
  return (
    <section className={styles.hero}>
      <div className={`${styles.row} band`}>
        <div className={styles.promise}>
          <h1>Create &amp; Manage QR Codes Like a Pro</h1>
          <p className="soft">
            Print a code once, then change where it leads whenever you like. Your style, your
            colors, every scan counted.
          </p>
          <div className="line">
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

const LiveCrash = () => <p role="alert">The preview didn’t load. Reload the page to try again.</p>
