import { Button, Group, Modal, Text } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import { BAD } from '../../ui/theme.ts'
import { useDeleteCode } from '../queries.ts'
import { DELETE_ONE, DeletionOf } from './deletion-words.tsx'

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
      title={DELETE_ONE}
      transitionProps={{ duration: 0 }}
      centered
    >
      <Text size="sm">
        <DeletionOf name={code?.name} />
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
