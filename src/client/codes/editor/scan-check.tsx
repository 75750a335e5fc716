import { Badge, Text } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import styles from './scan-check.module.css'

/**
 * Whether the picture above will scan, and why. It advises and never stops anybody: where it cannot
 * be made, nothing is said. The status is there from the start, so that every verdict is read out.
 */
export function ScanCheck({ code, look }: { code: QrCode; look: Look }) {
  const { data, isPlaceholderData } = useLegibility(code, look)
  return (
    <div role="status" className={styles.check} aria-busy={isPlaceholderData}>
      {data && <Verdict legibility={data} />}
    </div>
  )
}

function Verdict({ legibility: { verdict, reason } }: { legibility: Legibility }) {
  const { color, icon: Icon } = scanVerdicts[verdict]
  return (
    <>
      <Badge color={color} tt="none" leftSection={<Icon size={12} aria-hidden />}>
        Scans: {verdict}
      </Badge>
      <Text size="sm" mt={6}>
        {reason}
      </Text>
    </>
  )
}
