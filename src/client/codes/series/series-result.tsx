import { Text } from '@mantine/core'
import { useFocusTrap } from '@mantine/hooks'
import type { QrCode } from '#contract/codes.ts'
import { FREE_EXPIRY_DAYS } from '#contract/plans.ts'
import { LabelsPanel } from '../labels/labels-panel.tsx'

type Props = { codes: QrCode[]; hostUrl: string; onClose: () => void }

/** What to do with codes that are there: print labels, or take all pictures. */
export function SeriesResult({ codes, hostUrl, onClose }: Props) {
  const trap = useFocusTrap(true)
  const end = codes[0]?.expiresAt
  return (
    <div ref={trap}>
      <Text pt="md" mb="sm">
        They are in your list, and each one can be changed on its own.
        {end && ` On the Free plan they stop working after ${FREE_EXPIRY_DAYS} days.`}
      </Text>
      <LabelsPanel {...{ codes, hostUrl, onClose }} hasPictures />
    </div>
  )
}
