import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

type Props = ButtonProps & {
  busy: boolean
  /** The label of a busy button; without it a spinner covers the button. */
  busyText?: string
  onClick?: () => void
  type?: 'button' | 'submit'
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button whose call takes a while. With a text it only looks disabled: a disabled button would lose the focus. */
export function BusyButton({ busy, busyText, onClick, children, type, ...button }: Props) {
  return (
    <Button
      {...button}
      type={type}
      loading={busy && busyText === undefined}
      data-disabled={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? (busyText ?? children) : children}
    </Button>
  )
}
