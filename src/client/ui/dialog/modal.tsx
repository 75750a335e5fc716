import { Modal, type ModalProps } from '@mantine/core'

/** The kit's dialog, in a file of its own: it weighs as much as a screen, and most visits open none. */
export function LoadedModal(props: ModalProps) {
  return <Modal {...props} />
}
