import { useLocalStorage } from '@mantine/hooks'

const KEY = 'tessera-shortcuts'

/** Whether single keys do something here: WCAG 2.2 §2.1.4 asks for a way to turn them off. */
export function useShortcutPreference() {
  const [isOn, setOn] = useLocalStorage({
    key: KEY,
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return { isOn, setOn }
}
