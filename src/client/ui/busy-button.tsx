import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

type Props = ButtonProps & {
  busy: boolean
  busyText: string
  onClick?: () => void
  type?: 'button' | 'submit'
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** Says what is under way. It only looks disabled meanwhile: a disabled button would lose the focus. */
export function BusyButton({ busy, busyText, onClick, children, type, ...button }: Props) {
  return (
    <Button
      {...button}
      type={type}
      data-disabled={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? busyText : children}
    </Button>
  )
}
