import { Fragment, type ReactNode } from 'react'
import styles from './bill.module.css'

export type BillLine = { what: ReactNode; amount: string; strong?: boolean }

/** Amounts line by line; the sum stands out. */
export function Bill({ lines }: { lines: BillLine[] }) {
  return (
    <dl className={styles.bill}>
      {lines.map(({ what, amount, strong }) => (
        <Fragment key={String(what)}>
          <dt data-strong={strong || undefined}>{what}</dt>
          <dd data-strong={strong || undefined}>{amount}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
