import { useEffect, useRef, useState } from 'react'
import { ALL, useAskedStats } from '../../stats-address.ts'

/**
 * A dialog on the code that the address asks for, or on all codes. It closes if that code is gone.
 * `view` is what it shows, undefined while that is not known. It stays while the dialog closes.
 */
export function useAskedDialog<View>(
  isAsked: boolean,
  codes: readonly { id: string }[] | undefined,
  view: View | undefined,
  close: () => Promise<void>,
) {
  const code = useAskedStats()
  const isThere = code === ALL || codes?.some(({ id }) => id === code) === true
  const isGone = isAsked && codes !== undefined && !isThere
  const [opened, setOpened] = useState(false)
  // After the first drawing: only then is it known what had the focus before.
  useEffect(() => setOpened(isAsked && isThere), [isAsked, isThere])
  useEffect(() => {
    if (isGone) void close()
  }, [isGone, close])
  const last = useRef<(View & { code: string }) | null>(null)
  if (isAsked && isThere && code !== null && view) last.current = { ...view, code }
  return { opened, shown: last.current }
}
