import { Button, Text } from '@mantine/core'
import { ScanSearch } from 'lucide-react'
import type { QrCode } from '#contract/codes.ts'
import { printAddress } from '../addresses.ts'
import { proofText } from './print-words.ts'
import styles from './prints.module.css'
import { usePrintProofs } from './queries.ts'

/** What the last check of a code's print showed, and the way to the next one. */
export function LastCheck({ code }: { code: QrCode }) {
  const { data } = usePrintProofs(code.id)
  const last = data?.[0]
  return (
    <div className={styles.last}>
      {last && (
        <Text size="sm" className={styles.words}>
          {proofText(last, code.url)}
        </Text>
      )}
      <Button
        variant="default"
        size="sm"
        leftSection={<ScanSearch size={16} aria-hidden />}
        onClick={() => printAddress.open(code.id)}
      >
        Check a print
      </Button>
    </div>
  )
}
