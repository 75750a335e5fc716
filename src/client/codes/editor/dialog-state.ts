import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { fieldsOf } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { forgetForm, keptText } from '../../kept-form.ts'
import { afterStep } from '../../ui/dialog/address-steps.ts'
import { importLazily } from '../../ui/dialog/lazy-import.ts'
import { useMay } from '../../workspace.ts'
import {
  closeCode,
  NEW,
  openCode,
  replaceCode,
  showReady,
  stayAtCode,
  useAskedCode,
} from '../addresses.ts'
import { useMakeDraft } from '../queries.ts'
import type { KeptOpening, Opening } from './reopened-form.ts'
import { useUnsavedChanges } from './unsaved-changes.ts'

const untouched = (code: QrCode | null): Opening => ({
  code,
  typed: {},
  version: null,
  notice: null,
})

/**
 * The dialog shows the form that the page's address asks for. Every opening is a form of its own,
 * and for a new code a draft of its own.
 */
export function useCodeDialog(user: User, codes: readonly QrCode[] | undefined) {
  const asked = useAskedCode()
  const draft = useMakeDraft()
  const { kept, forgetKept } = useKeptOpening(user)
  const unsaved = useUnsavedChanges()
  const isDemo = user.demo === 'live'
  const mayEdit = useMay('PATCH /api/qr-codes/:id')
  const [opened, setOpened] = useState(false)
  const [opening, setOpening] = useState({ count: 0, ...untouched(null) })
  /** The code that the dialog shows, as in the address; null while it is closed. */
  const shown = useRef<string | null>(null)
  const opener = useRef<Element | null>(null)

  const show = (id: string, next: Opening) => {
    shown.current = id
    opener.current = document.activeElement
    if (!next.code && !isDemo) draft.mutate()
    setOpening(({ count }) => ({ count: count + 1, ...next }))
    setOpened(true)
  }
  const reopen = ({ with: openingOf }: KeptOpening, code: QrCode | null) => {
    forgetForm()
    forgetKept()
    show(code?.id ?? NEW, openingOf(code))
    if (!code && asked !== NEW) replaceCode(NEW)
  }
  const open = (id: string) => {
    if (kept === undefined || (id !== NEW && !codes)) return
    const code = codes?.find((one) => one.id === id) ?? null
    if (!mayEdit) replaceCode(null)
    else if (kept?.asked === id) reopen(kept, code)
    else if (code || id === NEW) show(id, untouched(code))
    else replaceCode(null)
  }
  const hide = () => {
    shown.current = null
    // If the browser restored this page from its cache, it had kept this form when it was left.
    if (!kept) forgetForm()
    setOpened(false)
  }
  const close = () => {
    if (shown.current === null) return
    hide()
    void closeCode()
  }
  /** The form's code is saved. A new one is then shown as ready. */
  const saved = ({ id }: QrCode) => {
    if (opening.code?.id === id || shown.current === null) return close()
    afterStep(() => {
      hide()
      showReady(id)
    })
  }
  /** Handles a press of Back while a form is open. */
  const goBack = () => {
    const id = shown.current
    if (id === null || unsaved.goBack(() => stayAtCode(id), close)) hide()
  }
  const follow = useEffectEvent(() => {
    if (asked !== null && asked !== shown.current) open(asked)
    else if (asked === null && shown.current !== null) goBack()
    else if (asked === null && kept) openCode(kept.asked)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form may wait for the list, and for the kept form to be read
  useEffect(() => follow(), [asked, codes, kept, opened])

  return {
    opened,
    unsaved,
    /** Tells one opening from the next. */
    count: opening.count,
    isEdit: opening.code !== null,
    /** The code to edit; for a new one its draft, which is missing until it arrives. */
    code: opening.code ?? (isDemo ? borrowedDraft(codes) : draft.data),
    draftError: opening.code ? null : draft.error,
    makeDraft: () => draft.mutate(),
    /** Unsaved values that a reopened form begins with. */
    typed: opening.typed,
    /** The version of the code that these were typed for */
    version: opening.version,
    notice: opening.notice,
    close,
    saved,
    /** The element that opened the dialog, if it is still on the page. */
    opener: () => (isPlace(opener.current) ? opener.current : null),
  }
}
export type CodeDialogState = ReturnType<typeof useCodeDialog>

/** The live demo cannot make a draft. One of its own codes, emptied, has an address that draws and checks pictures. */
function borrowedDraft(codes: readonly QrCode[] | undefined): QrCode | undefined {
  const lent = codes?.find(({ vanityUrl, isActive }) => vanityUrl === null && isActive)
  return lent && { ...lent, name: '', url: '', tags: [], ...fieldsOf(DEFAULT_LOOK) }
}

/** Undefined while it is read. The schema that reads it is loaded only if the tab keeps something. */
function useKeptOpening(user: User) {
  const [kept, setKept] = useState<KeptOpening | null | undefined>(() =>
    keptText() === null ? null : undefined,
  )
  const read = useEffectEvent(async () => {
    const reading = await importLazily(() => import('./reopened-form.ts'))
    setKept(reading?.keptOpening(user) ?? null)
  })
  useEffect(() => {
    if (keptText() !== null) void read()
  }, [])
  return { kept, forgetKept: () => setKept(null) }
}

/** A dialog that opened by itself has no opener: the body cannot take the focus. */
function isPlace(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body
}
