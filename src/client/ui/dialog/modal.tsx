import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/**
 * The kit's dialog, in a file of its own: it weighs as much as a screen, and most visits open none. It is
 * drawn closed first: only then does it know what had the focus before, and the dialogs of a page lie above
 * each other in the order in which the page has them.
 */
export function LoadedModal({ opened, ...props }: ModalProps) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return <Modal {...props} opened={opened && isDrawn} />
}
