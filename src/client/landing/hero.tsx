import { ButtonLink } from './button-link.tsx'
import styles from './hero.module.css'
import { LiveBoundary } from './live-boundary.tsx'
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
        <LiveBoundary>
          <LiveCode example={example} />
        </LiveBoundary>
      </div>
    </section>
  )
}
