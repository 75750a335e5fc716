import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { MadeApiKey } from '#contract/programs/api-keys.ts'
import { CopyButton } from '../ways-in/copy-button.tsx'
import styles from './new-key-dialog.module.css'

type Props = { made: MadeApiKey | null; onClose: () => void }

/** The key is shown once, so nothing but its button closes the dialog. */
export function NewKeyDialog({ made, onClose }: Props) {
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="Your new API key"
      centered
      transitionProps={{ duration: 0 }}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {made && (
        <Stack>
          <Text size="sm">
            Copy it now and keep it where you would keep a password: we show it only this once.
            Anybody who has it can {made.scope === 'write' ? 'see and change' : 'see'} your QR
            codes.
          </Text>
          <code className={styles.key}>{made.key}</code>
          <Group>
            <CopyButton text={made.key}>Copy key</CopyButton>
          </Group>
          <Button onClick={onClose} data-autofocus>
            I have kept it
          </Button>
        </Stack>
      )}
    </Modal>
  )
}
