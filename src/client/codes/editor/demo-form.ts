import { type KeptForm, keepForm, type Values } from '../../kept-form.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { orNone } from './artwork/artwork-form.ts'
import type { EditorForm } from './editor.ts'

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
export function offerAccount(form: EditorForm): void {
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
