import { useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { useMakeDraft } from './queries.ts'

/**
 * What the dialog shows. Every opening counts: it is a form of its own, and to create, a draft of
 * its own, so that no two openings ever share one.
 */
export function useCodeDialog() {
  const draft = useMakeDraft()
  const [opened, setOpened] = useState(false)
  const [opening, setOpening] = useState(0)
  const [edited, setEdited] = useState<QrCode | null>(null)

  const opener = useRef<Element | null>(null)

  const open = (code: QrCode | null) => {
    opener.current = document.activeElement
    setEdited(code)
    setOpening((count) => count + 1)
    setOpened(true)
  }
  return {
    opened,
    opening,
    isEdit: edited !== null,
    code: edited ?? draft.data,
    draftError: edited ? null : draft.error,
    create: () => {
      draft.mutate()
      open(null)
    },
    edit: open,
    close: () => setOpened(false),
    /** Once the dialog has faded, so that its content does not change while it does. */
    clear: () => setEdited(null),
    /** What opened the dialog, if it is still on the page. */
    opener: () =>
      opener.current instanceof HTMLElement && opener.current.isConnected ? opener.current : null,
  }
}
export type CodeDialogState = ReturnType<typeof useCodeDialog>
