import { Anchor } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import styles from './back-link.module.css'

type Props = { href?: string; children?: string }

export function BackLink({ href = '/dashboard', children = 'Back to Dashboard' }: Props) {
  return (
    <Anchor component={Link} href={href} size="sm" className={styles.link}>
      <ArrowLeft size={16} aria-hidden />
      {children}
    </Anchor>
  )
}
