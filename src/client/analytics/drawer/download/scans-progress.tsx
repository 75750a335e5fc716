import { CloseButton, Progress, Stack } from '@mantine/core'
import { counted, formatCount } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import type { useScansFile } from './scans-file.ts'
import styles from './scans-progress.module.css'

type Props = Omit<ReturnType<typeof useScansFile>, 'save'>

/** The progress of the file of scans, at the foot of the drawer: it stays in sight. */
export function ScansProgress({ coming, said, cancel, close }: Props) {
  return (
    <>
      {coming && (
        <div className={styles.bar}>
          <Stack gap={6} flex={1}>
            <span style={{ fontVariantNumeric: 'tabular-nums' }}>
              {coming.total === null
                ? `Counting ${coming.noun}s…`
                : `${formatCount(coming.come)} of ${counted(coming.total, coming.noun)}`}
            </span>
            <Progress
              value={coming.total ? (100 * coming.come) / coming.total : 100}
              animated={coming.total === null}
              aria-label={`Downloading ${coming.noun}s`}
            />
          </Stack>
          <PlainButton size="xs" onClick={cancel}>
            Cancel
          </PlainButton>
        </div>
      )}
      {/* The drawer has a status of its own. */}
      <div aria-live="polite" className={said && !coming ? styles.bar : undefined}>
        {said && !coming && (
          <>
            <span className={styles.said}>{said}</span>
            <CloseButton aria-label="Close this message" onClick={close} />
          </>
        )}
      </div>
    </>
  )
}
