import { Box, Group, Progress, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { type Arrived, useArrivingFile, ZIP_MARK } from '../../files/arriving-file.ts'
import { formatCount, formatNumber } from '../../formats.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { refreshAccount } from '../queries.ts'

const LINKS = { path: '/api/account/export', type: 'application/zip', mark: ZIP_MARK }

/** Downloads the zip and shows its progress. */
export function TakeLinks() {
  const { arrived, fetchFile, stop } = useArrivingFile(
    'The download stopped early. Please try again.',
  )
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  const start = async () => {
    if (!(await fetchFile(() => LINKS))) return
    toast.success('Links downloaded')
    void refreshAccount()
  }
  return (
    <Box ref={area} tabIndex={-1} w="100%">
      {arrived ? (
        <>
          <Progress value={percentOf(arrived)} aria-label="Download of your links" />
          <Group justify="space-between" mt="xs">
            <Text size="sm">{textOf(arrived)}</Text>
            <PlainButton size="xs" onClick={stop}>
              Stop
            </PlainButton>
          </Group>
        </>
      ) : (
        <PlainButton leftSection={<Download size={16} aria-hidden />} onClick={start}>
          Download my links
        </PlainButton>
      )}
    </Box>
  )
}

const percentOf = ({ parts, total }: Arrived) => (total > 0 ? (100 * parts) / total : 0)

function textOf({ parts, total, bytes }: Arrived): string {
  if (bytes === 0) return 'Preparing your ZIP...'
  return `File ${formatCount(parts)} of ${formatCount(total)}, ${formatNumber(bytes / 1e6, 1)} MB so far`
}
