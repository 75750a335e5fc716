import type { ReactNode } from 'react'
import styles from './button-link.module.css'

type Props = {
  href?: string
  quiet?: boolean
  wide?: boolean
  children: ReactNode
}

/** A link that looks like a button: where it leads works without script. */
export function ButtonLink({ href = '/api/login', quiet = false, wide = false, children }: Props) {
  const look = [styles.button, quiet ? styles.quiet : styles.strong, wide ? styles.wide : '']
  return (
    <a href={href} className={look.join(' ')}>
      {children}
    </a>
  )
}
