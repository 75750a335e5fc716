import { type ReactNode, useEffect, useState } from 'react'

type Props = { opened: boolean; children: (opened: boolean) => ReactNode }

/**
 * Draws a dialog from the first time on that it is asked for. It opens one drawing after that: only
 * then is it known what had the focus before.
 */
export function MountOnOpen({ opened, children }: Props) {
  const [isDrawn, setDrawn] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (opened) setDrawn(true)
  }, [opened])
  useEffect(() => setOpen(opened && isDrawn), [opened, isDrawn])
  return isDrawn ? children(isOpen) : null
}
