import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { saveFile } from '../../../files/save-file.ts'
import form from '../../../ui/form.module.css'
import { CopyButton, ShownOnce } from '../shown-once.tsx'

type Props = { codes: string[] | null; email: string; onClose: () => void }

/** The codes are shown once, so nothing but its button closes the dialog. */
export function RecoveryCodesDialog({ codes, email, onClose }: Props) {
  return (
    <ShownOnce title="Your recovery codes" shown={codes} done="I have kept them" onClose={onClose}>
      {(all) => (
        <>
          <Text size="sm">
            Each one stands in for the app’s code once, if you lose your phone. Keep them where you
            would keep a password: we show them only now.
          </Text>
          <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing={8} className={form.copied}>
            {all.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </SimpleGrid>
          <Group gap="xs">
            <CopyButton text={all.join('\n')}>Copy codes</CopyButton>
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} aria-hidden />}
              onClick={() => saveFile(fileOf(all, email), 'tessera-recovery-codes.txt')}
            >
              Download codes
            </Button>
          </Group>
        </>
      )}
    </ShownOnce>
  )
}

function fileOf(codes: readonly string[], email: string): Blob {
  const lines = [
    `Recovery codes for ${email} at ${window.location.host}`,
    'Each one works once.',
    '',
    ...codes,
    '',
  ]
  return new Blob([lines.join('\r\n')], { type: 'text/plain' })
}
