import { notifications } from '@mantine/notifications'

export const TOAST_MS = 5000

type Variant = 'normal' | 'destructive'

/** Shows one toast. At most one is on the screen: a new one takes the place of the shown one at once. */
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
