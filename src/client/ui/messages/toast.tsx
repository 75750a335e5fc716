import '@mantine/notifications/styles.css'
import { Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { Notifications, notifications, useNotifications } from '@mantine/notifications'
import { useRef } from 'react'
import { isTyping } from '../shortcut.ts'
import styles from './toast.module.css'

const TOAST_MS = 5000

type Variant = 'normal' | 'destructive'
type Toast = { variant: Variant; title: string; message: string; undo?: (() => void) | undefined }

/** Shows a toast in place of the one that is there: at most one is on the screen. */
function show({ variant, title, message, undo }: Toast): void {
  notifications.cleanQueue()
  notifications.clean()
  notifications.show({
    title,
    message: undo ? <Undoable message={message} undo={undo} /> : message,
    color: variant === 'destructive' ? 'var(--bad)' : 'var(--good)',
    autoClose: TOAST_MS,
    role: variant === 'destructive' ? 'alert' : 'status',
    'data-variant': variant,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}

export const toast = {
  success: (message: string, title = 'Success') => show({ variant: 'normal', title, message }),
  error: (message: string, title = 'Error') => show({ variant: 'destructive', title, message }),
  /** A success that can be taken back for as long as it shows, by its button or Ctrl+Z. */
  undoable: (message: string, undo: () => void) =>
    show({ variant: 'normal', title: 'Success', message, undo }),
}

type UndoableProps = { message: string; undo: () => void }

function Undoable({ message, undo }: UndoableProps) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(document.activeElement)
  const run = () => {
    // The button goes with the toast: the focus goes back to where the person was.
    if (document.activeElement === button.current && before.current instanceof HTMLElement) {
      before.current.focus()
    }
    notifications.clean()
    undo()
  }
  useWindowEvent('keydown', (event) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)
    if (!isUndo || event.shiftKey || event.altKey || isTyping(event)) return
    event.preventDefault()
    run()
  })
  return (
    <span className={styles.undoable}>
      {message}
      <Button
        ref={button}
        variant="default"
        size="compact-md"
        aria-keyshortcuts="Control+Z Meta+Z"
        onClick={run}
      >
        Undo
      </Button>
    </span>
  )
}

/**
 * Toasts appear low, clear of a dialog's title, of what is said beneath it and of its buttons. Each toast gets a new container:
 * Mantine would let the previous one fade out beside it.
 */
export function Toasts() {
  const [shown] = useNotifications().notifications
  return (
    <Notifications
      key={shown?.id}
      position="bottom-center"
      className={styles.toasts}
      transitionDuration={0}
      limit={1}
      zIndex={1000}
    />
  )
}
