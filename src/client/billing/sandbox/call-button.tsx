import { Button, type ButtonProps } from '@mantine/core'

type Props = ButtonProps & { busy: boolean; busyText?: string; onClick: () => void }

/** Keeps the focus while its call is under way, which a disabled button would lose. */
export function CallButton({ busy, busyText, onClick, children, ...rest }: Props) {
  return (
    <Button {...rest} aria-disabled={busy || undefined} onClick={busy ? undefined : onClick}>
      {busy && busyText ? busyText : children}
    </Button>
  )
}
