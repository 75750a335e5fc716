import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Where toasts appear. No transition: a new toast replaces the shown one at once. */
export function Toasts() {
  return <Notifications position="bottom-right" transitionDuration={0} limit={1} zIndex={1000} />
}
