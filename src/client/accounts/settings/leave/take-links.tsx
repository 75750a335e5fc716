import { Box, Button, Group, Progress, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { useFocusInside } from '../../../ui/focus.ts'
import { formatCount } from '../../../ui/formats.ts'
import { type Arrived, useLinksDownload } from './download-links.ts'

/** Downloads the zip and tells how far it is. */
export function TakeLinks() {
  const { arrived, start, stop } = useLinksDownload()
  const area = useRef<HTMLDivElement>(null)
  useFocusInside(area)
  return (
    <Box ref={area} tabIndex={-1} w="100%">
      {arrived ? (
        <Way arrived={arrived} onStop={stop} />
      ) : (
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={start}>
          Take my links with me
        </Button>
      )}
    </Box>
  )
}

function Way({ arrived, onStop }: { arrived: Arrived; onStop: () => void }) {
  const { files, total } = arrived
  return (
    <>
      <Progress value={total > 0 ? (100 * files) / total : 0} aria-label="Download of your links" />
      <Group justify="space-between" mt="xs">
        <Text size="sm">{textOf(arrived)}</Text>
        <Button variant="default" size="xs" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </>
  )
}

function textOf({ files, total, bytes }: Arrived): string {
  if (bytes === 0) return 'Preparing your zip...'
  return `File ${formatCount(files)} of ${formatCount(total)}, ${(bytes / 1e6).toFixed(1)} MB so far`
}
