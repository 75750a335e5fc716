import { ButtonLink } from './button-link.tsx'
import styles from './hero.module.css'

export function Hero() {
  return (
    <section className={styles.hero}>
      <h1>Create &amp; Manage QR Codes Like a Pro</h1>
      <p>
        Print a code once and change where it leads for ever after. Your style, your colours, and
        every scan counted.
      </p>
      <div className={styles.actions}>
        <ButtonLink>Start Free Trial</ButtonLink>
        <ButtonLink href="#dashboard" quiet>
          View Demo
        </ButtonLink>
      </div>
    </section>
  )
}
