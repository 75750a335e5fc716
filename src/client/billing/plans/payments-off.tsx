import { Alert } from '@mantine/core'
import { Info } from 'lucide-react'
import styles from './payments-off.module.css'

/** The theme's own surface of an alert stands in its style. */
const SURFACE = { root: { background: 'var(--tint)' } }

/** Said before anybody chooses: a refusal after the click would be a riddle. */
export function PaymentsOff() {
  return (
    <Alert
      variant="outline"
      title="Plans cannot be bought here"
      icon={<Info aria-hidden />}
      className={styles.notice}
      styles={SURFACE}
      role="note"
    >
      Payments are switched off on this server: you can compare the plans, but not choose one.
    </Alert>
  )
}
