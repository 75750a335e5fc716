import { Button, CloseButton, Progress } from '@mantine/core'
import { counted, formatCount } from '../../../ui/formats.ts'
import styles from './scans-progress.module.css'
import type { useScansFile } from './use-scans-file.ts'

type Props = Pick<ReturnType<typeof useScansFile>, 'coming' | 'said' | 'cancel' | 'close'>

/** How far the file of scans is, at the foot of the drawer: it stays in sight. */
export function ScansProgress({ coming, said, cancel, close }: Props) {
  return (
    <>
      {coming && (
        <div className={styles.bar}>
          <div className={styles.far}>
            <span className={styles.words}>
              {coming.total === null
                ? `Counting the ${coming.noun}s ...`
                : `${formatCount(coming.come)} of ${counted(coming.total, coming.noun)}`}
            </span>
            <Progress
              value={coming.total ? (100 * coming.come) / coming.total : 100}
              animated={coming.total === null}
              aria-label={`Saving ${coming.noun}s`}
            />
          </div>
          <Button variant="default" size="xs" className={styles.button} onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      {/* The drawer has a status of its own. */}
      <div aria-live="polite" className={said && !coming ? styles.bar : undefined}>
        {said && !coming && (
          <>
            <span className={styles.said}>{said}</span>
            <CloseButton
              aria-label="Close this message"
              className={styles.button}
              onClick={close}
            />
          </>
        )}
      </div>
    </>
  )
}
