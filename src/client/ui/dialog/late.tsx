import type { ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '../messages/toast.tsx'
import { RELOAD, useLatePart } from './lazy-import.ts'

type LateProps<Part> = {
  /** Fetches the part; it must keep its identity. */
  load: () => Promise<Part>
  /** Until then the part comes with the first sign of a person. */
  isNeeded?: boolean
  /** Stands in for a part that is needed and on its way */
  waiting?: ReactNode
  /** Stands in for a part that did not come; without it the boundary around it says so */
  failed?: ReactNode
  children: (part: Part) => ReactNode
}

/** A part of the program that is loaded late. */
export function Late<Part extends object>(props: LateProps<Part>) {
  const { load, isNeeded = true, waiting = null, failed, children } = props
  const part = useLatePart(load, isNeeded)
  if (part && !(part instanceof Error)) return children(part)
  if (!isNeeded) return null
  if (part && failed === undefined) throw part
  return part ? failed : waiting
}

/** Says that the page has to be loaded again, and closes what cannot be shown. */
export function GiveUp({ text = RELOAD, onClose }: { text?: string; onClose?: () => void }) {
  const giveUp = useEffectEvent(() => {
    toast.error(text)
    onClose?.()
  })
  useEffect(() => giveUp(), [])
  return null
}

const loadModal = () => import('./modal.tsx')

/** A dialog of the kit, which is loaded with the first sign of a user, or when one opens. */
export function LateModal(props: ModalProps) {
  const { opened, onClose } = props
  return (
    <Late load={loadModal} isNeeded={opened} failed={<GiveUp onClose={onClose} />}>
      {({ LoadedModal }) => <LoadedModal {...props} />}
    </Late>
  )
}
