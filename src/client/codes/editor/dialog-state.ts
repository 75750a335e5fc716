import { useCallback, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { forgetClosedForm } from '../../kept-form.ts'
import { useMakeDraft } from '../queries.ts'
import type { Values } from './editor.ts'

/** How the dialog opens again. */
export type Reopening = {
  /** The code to edit, or null for a new one. */
  code: QrCode | null
  typed: Partial<Values>
  notice: string | null
}

/** What a form begins with besides its code. */
type Beginning = Pick<Reopening, 'typed' | 'notice'>
const UNTOUCHED: Beginning = { typed: {}, notice: null }

/**
 * What the dialog shows. Every opening counts: it is a form of its own, and to create, a draft of
 * its own, so that no two openings ever share one.
 */
export function useCodeDialog() {
  const draft = useMakeDraft()
  const { mutate: makeDraft } = draft
  const [opened, setOpened] = useState(false)
  const [opening, setOpening] = useState(0)
  const [edited, setEdited] = useState<QrCode | null>(null)
  const [beginning, setBeginning] = useState(UNTOUCHED)

  const opener = useRef<Element | null>(null)

  const open = useCallback(
    (code: QrCode | null, begin = UNTOUCHED) => {
      opener.current = document.activeElement
      if (!code) makeDraft()
      setEdited(code)
      setBeginning(begin)
      setOpening((count) => count + 1)
      setOpened(true)
    },
    [makeDraft],
  )
  return {
    opened,
    opening,
    isEdit: edited !== null,
    code: edited ?? draft.data,
    draftError: edited ? null : draft.error,
    ...beginning,
    create: useCallback(() => open(null), [open]),
    edit: useCallback((code: QrCode) => open(code), [open]),
    reopen: ({ code, ...begin }: Reopening) => open(code, begin),
    close: () => {
      // A form that was put by, as it crashed or its page was left once before, is over.
      forgetClosedForm()
      setOpened(false)
    },
    /** Once the dialog has faded, so that its content does not change while it does. */
    clear: () => setEdited(null),
    /** What opened the dialog, if it is still on the page. */
    opener: () => (isPlace(opener.current) ? opener.current : null),
  }
}
export type CodeDialogState = ReturnType<typeof useCodeDialog>

/** A dialog that opened by itself was opened from nowhere: the body is no place for the focus. */
function isPlace(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body
}
