import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { saveFile } from '../../../files/save-file.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './recovery-codes-dialog.module.css'

type Props = { codes: string[] | null; email: string; onClose: () => void }

/** The codes are shown once, so nothing but its button closes the dialog. */
export function RecoveryCodesDialog({ codes, email, onClose }: Props) {
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      title="Your recovery codes"
      centered
      transitionProps={{ duration: 0 }}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {codes && (
        <Stack>
          <Text size="sm">
            Each one stands in for the app’s code once, if you lose your phone. Keep them where you
            would keep a password: we show them only now.
          </Text>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <Group gap="xs">
            <CopyButton text={codes.join('\n')}>Copy codes</CopyButton>
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} aria-hidden />}
              onClick={() => saveFile(fileOf(codes, email), 'tessera-recovery-codes.txt')}
            >
              Download codes
            </Button>
          </Group>
          <Button onClick={onClose} data-autofocus>
            I have kept them
          </Button>
        </Stack>
      )}
    </Modal>
  )
}

function fileOf(codes: string[], email: string): Blob {
  const lines = [
    `Recovery codes for ${email} at ${window.location.host}`,
    'Each one works once.',
    '',
    ...codes,
    '',
  ]
  return new Blob([lines.join('\r\n')], { type: 'text/plain' })
}
