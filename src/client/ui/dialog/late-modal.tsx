import type { ModalProps } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from '../messages/toast.tsx'
import { RELOAD, useLatePart } from './lazy-import.ts'

const loadModal = () => import('./modal.tsx')

/**
 * A dialog of the kit, which is loaded with the first sign of a user, or when one opens. It is drawn
 * closed first: only then does it know what had the focus before, and the dialogs of a page lie above
 * each other in the order in which the page has them.
 */
export function LateModal(props: ModalProps) {
  const { opened, onClose } = props
  const part = useLatePart(loadModal, opened)
  const isLoaded = part !== undefined && part !== 'failed'
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(isLoaded), [isLoaded])
  const giveUp = useEffectEvent(() => {
    toast.error(RELOAD)
    onClose()
  })
  useEffect(() => {
    if (opened && part === 'failed') giveUp()
  }, [opened, part])
  return isLoaded ? <part.LoadedModal {...props} opened={opened && isDrawn} /> : null
}
