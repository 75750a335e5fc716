import { ErrorBoundary } from 'react-error-boundary'
import { ButtonLink } from './button-link.tsx'
import styles from './hero.module.css'
import { LiveCode } from './live-code.tsx'

/** What Tessera is, and a code to try it on. `example` is the picture that the code begins with. */
export function Hero({ example }: { example: string }) {
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
