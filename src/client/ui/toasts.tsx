import '@mantine/notifications/styles.css'
import { Notifications, useNotifications } from '@mantine/notifications'

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
