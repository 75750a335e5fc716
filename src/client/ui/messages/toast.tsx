import '@mantine/notifications/styles.css'
import { Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { Notifications, notifications, useNotifications } from '@mantine/notifications'
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { isTyping } from '../shortcut.ts'
import styles from './toast.module.css'
import { keepPlaced } from './toast-place.ts'

const TOAST_MS = 5000

type Variant = 'normal' | 'destructive'
type Toast = { variant: Variant; title: string; message: string; undo?: (() => void) | undefined }

/** Shows a toast in place of the one that is there: at most one is on the screen. */
function show({ variant, title, message, undo }: Toast): void {
  notifications.cleanQueue()
  notifications.clean()
  notifications.show({
    title,
    message: <Message text={message} undo={undo} />,
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

type MessageProps = { text: string; undo: Toast['undo'] }

function Message({ text, undo }: MessageProps) {
  const message = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const toast = message.current?.closest<HTMLElement>(`.${styles.toasts}`)
    return toast ? keepPlaced(toast) : undefined
  }, [])
  return (
    <span ref={message} className={styles.message}>
      {text}
      {undo && <Undo undo={undo} />}
    </span>
  )
}

function Undo({ undo }: { undo: () => void }) {
  const before = useRef<EventTarget>(null)
  const run = () => {
    // The button goes with the toast: the focus goes back to where the person was.
    if (before.current instanceof HTMLElement) before.current.focus()
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
    <Button
      variant="default"
      size="compact-md"
      aria-keyshortcuts="Control+Z Meta+Z"
      onFocus={(event: FocusEvent) => {
        before.current = event.relatedTarget
      }}
      onBlur={() => {
        before.current = null
      }}
      onClick={run}
    >
      Undo
    </Button>
  )
}

/** Each toast gets a new container: Mantine would let the previous one fade out beside it. */
export function Toasts() {
  const [shown] = useNotifications().notifications
  return (
    <Notifications
      key={shown?.id}
      position="top-left"
      className={styles.toasts}
      transitionDuration={0}
      limit={1}
      zIndex={1000}
    />
  )
}
