import { Anchor } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import styles from './back-link.module.css'

export function BackLink() {
  return (
    <Anchor component={Link} href="/dashboard" size="sm" className={styles.link}>
      <ArrowLeft size={16} aria-hidden />
      Back to Dashboard
    </Anchor>
  )
}
