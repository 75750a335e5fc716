import '@mantine/notifications/styles.css'
import { Notifications, notifications, useNotifications } from '@mantine/notifications'

const TOAST_MS = 5000

type Variant = 'normal' | 'destructive'

/** Shows a toast in place of the one that is there: at most one is on the screen. */
function show(variant: Variant, title: string, message: string): void {
  notifications.cleanQueue()
  notifications.clean()
  notifications.show({
    title,
    message,
    color: variant === 'destructive' ? 'var(--bad)' : 'var(--good)',
    autoClose: TOAST_MS,
    role: variant === 'destructive' ? 'alert' : 'status',
    'data-variant': variant,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}

export const toast = {
  success: (message: string, title = 'Success') => show('normal', title, message),
  error: (message: string, title = 'Error') => show('destructive', title, message),
}

/**
 * Toasts appear at the top, clear of a dialog's Save button. Each toast gets a new container:
 * Mantine would let the previous one fade out beside it.
 */
export function Toasts() {
  const [shown] = useNotifications().notifications
  return (
    <Notifications
      key={shown?.id}
      position="top-center"
      transitionDuration={0}
      limit={1}
      zIndex={1000}
    />
  )
}
