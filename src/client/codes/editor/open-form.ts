import { useIntersection } from '@mantine/hooks'
import { type KeptForm, keepForm, type Values } from '../../kept-form.ts'
import { confirm, withdrawQuestion } from '../../ui/messages/confirm-dialog.tsx'
import { ownerHere } from '../../workspace.ts'
import { usePlansLink } from '../addresses.ts'
import { linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { orNone } from './artwork/artwork-form.ts'
import { usePicture, useSettledLook } from './code-preview.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { type EditorForm, useEditor } from './editor.ts'
import { printNotes } from './printing/before-printing.tsx'
import { useFileSizes } from './printing/file-sizes.tsx'
import { useLookHistory } from './undo-buttons.tsx'
import { useGuard } from './unsaved-changes.ts'

/** The picture counts as seen while half of it is between the dialog's title and its buttons. */
const SEEN = { threshold: 0.5, rootMargin: '-60px 0px -70px' }

/** All that the parts of a code's form know: its values and saving, and how it is drawn. */
export function useOpenForm(dialog: CodeDialogState) {
  const { user, tier, isDemo, hostUrl } = useOwner()
  const { draftError, isEdit, unsaved } = dialog
  const onSaved: Parameters<typeof useEditor>[1] = (saved) => {
    withdrawQuestion()
    dialog.saved(saved)
  }
  const editor = useEditor(dialog, onSaved, user.demo === 'live' ? offerAccount : undefined)
  const { form, code, isGone, version } = editor
  const { domain, vanityUrl } = form.values
  const look = useSettledLook(form.values)
  const link = linkOf(hostUrl, { domain, vanityUrl, shortCode: code?.shortCode ?? '' })
  const isLinkSaved = domain === (code?.domain ?? '') && vanityUrl === (code?.vanityUrl ?? '')
  const subject = { code, isNew: !isEdit, tier, link, isDemo }
  const seen = useIntersection(SEEN)
  const keep = () =>
    keepTyped(form, {
      userId: ownerHere(user.id),
      code: isEdit && code ? { id: code.id, name: code.name, version } : null,
    })
  useGuard(dialog, form, keep)
  return {
    ...editor,
    look,
    /** The link in the picture, with the form's current values. */
    link,
    isLinkSaved,
    picture: usePicture({ id: isGone ? undefined : code?.id, look, link, isSaved: isLinkSaved }),
    /** Watches whether the large picture is in sight. */
    pictureRef: seen.ref,
    isPictureSeen: !seen.entry || seen.entry.intersectionRatio >= SEEN.threshold,
    /** The code, if it was saved before and is still there */
    saved: isEdit && !isGone ? code : undefined,
    // Neither a refused draft nor a code that is gone will be printed.
    notes: draftError || isGone ? [] : printNotes(subject, new Date()),
    sizes: useFileSizes(),
    history: useLookHistory(form, `${code?.id} ${code?.version}`),
    /** For links to the plans: on the way there the form is kept. */
    seePlans: usePlansLink((go) => {
      keep()
      go()
    }),
    leave: () => unsaved.leave(dialog.close),
  }
}
export type OpenForm = ReturnType<typeof useOpenForm>

type Owner = Pick<KeptForm, 'userId' | 'code'>

/** Keeps what was typed in this tab, until the person is back. */
function keepTyped(form: EditorForm, owner: Owner): void {
  if (!form.isDirty()) return
  const values = form.getValues()
  const fields = Object.keys(values) as (keyof Values)[]
  const typed = fields.filter((field) => form.isDirty(field))
  keepForm({ ...owner, at: Date.now(), values, typed })
}

/*
 * In the live demo a person can try the whole editor. Nothing is saved before they have an account.
 */

/** The form for the account that the person creates: without the demo's paths and logos. */
export function formForOwnAccount(values: Values, now: number): KeptForm {
  const artwork = values.artwork && orNone({ ...values.artwork, logo: null })
  const fields = Object.keys(values) as (keyof Values)[]
  return {
    userId: null,
    at: now,
    code: null,
    values: { ...values, vanityUrl: '', artwork },
    typed: fields.filter((field) => field !== 'vanityUrl'),
  }
}

const SIGN_UP = '/api/login?new'

/** The demo's answer to Save. */
function offerAccount(form: EditorForm): void {
  confirm({
    title: 'Save it to your own account',
    text: 'The live demo doesn’t save anything. Create an account, and your code will be there, ready to save.',
    stay: 'Keep editing',
    go: 'Create your account',
    grave: false,
    onGo: () => {
      keepForm(formForOwnAccount(form.getValues(), Date.now()))
      // The browser does not ask before it leaves a form that is kept.
      form.resetDirty()
      window.location.assign(SIGN_UP)
    },
  })
}
