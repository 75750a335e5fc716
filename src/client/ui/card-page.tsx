import type { ReactNode } from 'react'
import styles from './card-page.module.css'
import { Logo } from './logo.tsx'

type Props = { children: ReactNode; after?: ReactNode }

/** A page of one card under the logo: for whoever is not inside, or has come to the wrong place. */
export function CardPage({ children, after }: Props) {
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <a href="/" className={styles.home}>
          <Logo size={28} />
        </a>
        <div className={styles.card}>
          <div className={styles.content}>{children}</div>
        </div>
        {after}
      </div>
    </main>
  )
}
