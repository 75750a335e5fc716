import type { ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
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

type MountProps = { opened: boolean; children: (opened: boolean) => ReactNode }

/**
 * Draws a dialog from the first time on that it is asked for. It opens one drawing after that: only
 * then is it known what had the focus before.
 */
export function MountOnOpen({ opened, children }: MountProps) {
  const [isDrawn, setDrawn] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (opened) setDrawn(true)
  }, [opened])
  useEffect(() => setOpen(opened && isDrawn), [opened, isDrawn])
  return isDrawn ? children(isOpen) : null
}
