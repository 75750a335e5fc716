import '@mantine/notifications/styles.css'
import { Notifications, useNotifications } from '@mantine/notifications'
import { SilentBoundary } from './silent-boundary.tsx'

/**
 * Where toasts appear: on top, clear of a dialog's Save button. Each toast has a container of its
 * own, since Mantine would let the one before fade out beside it.
 */
export function Toasts() {
  const [shown] = useNotifications().notifications
  return (
    // With a boundary of its own, so that one that cannot be shown takes no later one with it.
    <SilentBoundary key={shown?.id}>
      <Notifications position="top-center" transitionDuration={0} limit={1} zIndex={1000} />
    </SilentBoundary>
  )
}
