import type { ReactNode } from 'react'
import styles from './payment-columns.module.css'

/** What is bought, and the form that pays for it: read in this order, whatever stands where. */
export function PaymentColumns({ order, form }: { order: ReactNode; form: ReactNode }) {
  return (
    <div className={styles.columns}>
      {order}
      {form}
    </div>
  )
}
