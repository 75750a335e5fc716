import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Where toasts appear. On top, clear of a dialog's Save button. No transition: a new toast replaces the shown one at once. */
export function Toasts() {
  return <Notifications position="top-center" transitionDuration={0} limit={1} zIndex={1000} />
}
