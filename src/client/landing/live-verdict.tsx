import type { Legibility } from '#qr/scan-check/verdict.ts'
import styles from './live-verdict.module.css'

type Props = {
  /** Undefined while it is being found out, null where nothing can be said */
  legibility: Legibility | null | undefined
  isAsked: boolean
  hasFailed: boolean
}

/** Whether the code would scan, in words. The status is there from the start, so that each is read out. */
export function LiveVerdict({ legibility, isAsked, hasFailed }: Props) {
  const known = isAsked ? legibility : undefined
  const isPending = isAsked && legibility === undefined
  return (
    <div role="status" className={styles.verdict} aria-busy={isPending}>
      {!isAsked && !hasFailed && (
        <p>As you type, your code is drawn and scanned right here, before anything is printed.</p>
      )}
      {hasFailed && <p>The preview could not be loaded. Reload the page to try again.</p>}
      {isPending && <p>Scanning it with two decoders …</p>}
      {known && (
        <>
          <b className={styles.badge} data-verdict={known.verdict}>
            Scans: {known.verdict}
          </b>
          <p>{known.reason}</p>
        </>
      )}
    </div>
  )
}
