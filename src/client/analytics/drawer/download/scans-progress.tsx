import { CloseButton, Group, Progress, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { counted, formatCount } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import rows from '../../../ui/rows.module.css'
import type { useScansFile } from './scans-file.ts'

type Props = Omit<ReturnType<typeof useScansFile>, 'save'>

/** The progress of the file of scans, at the foot of the drawer: it stays in sight. */
export function ScansProgress({ coming, said, cancel, close }: Props) {
  return (
    <>
      {coming && (
        <Bar>
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
        </Bar>
      )}
      {/* The drawer has a status of its own. */}
      <div aria-live="polite">
        {said && !coming && (
          <Bar>
            <span className={rows.words}>{said}</span>
            <CloseButton aria-label="Close this message" onClick={close} />
          </Bar>
        )}
      </div>
    </>
  )
}

const Bar = (props: { children: ReactNode }) => (
  <Group
    px={16}
    py={10}
    justify="space-between"
    wrap="nowrap"
    fz="sm"
    style={{ borderTop: '1px solid var(--line)' }}
    {...props}
  />
)
