import { Button, Group, Modal, Text } from '@mantine/core'
import { BIN_DAYS } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { BAD } from '../ui/theme.ts'
import { useDeleteCode } from './queries.ts'

type Props = {
  code: QrCode | null
  onClose: () => void
  onClosed: () => void
}

export function DeleteDialog({ code, onClose, onClosed }: Props) {
  const remove = useDeleteCode()
  const confirm = () => {
    if (!code) return
    remove.mutate(code.id, { onSettled: onClose })
  }
  return (
    <Modal
      opened={code !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title="Delete this QR code?"
      transitionProps={{ duration: 0 }}
      centered
    >
      <Text size="sm">
        <b>{code?.name}</b> stops working at once, on every print and every page that shows it. For{' '}
        {BIN_DAYS} days it can be restored from the bin.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={BAD} loading={remove.isPending} onClick={confirm}>
          Delete
        </Button>
      </Group>
    </Modal>
  )
}
