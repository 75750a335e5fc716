import { PenLine } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { withdrawQuestion } from '../../ui/confirm-dialog.tsx'
import { linkOf } from '../links.ts'
import { Note } from '../note.tsx'
import { BeforePrinting, printNotes } from './before-printing.tsx'
import { CodeFields } from './code-fields.tsx'
import styles from './code-form.module.css'
import { CodePreview } from './code-preview.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { Downloads } from './downloads.tsx'
import { DraftRefusal } from './draft-refusal.tsx'
import { useEditor } from './editor.ts'
import { usePicture, useSettledLook } from './picture.ts'
import { SaveBar } from './save-bar.tsx'
import { useGuardedForm } from './unsaved-changes.ts'

type Props = {
  dialog: CodeDialogState
  user: User
  hostUrl: string
  stats: ReactNode
}

export function CodeForm({ dialog, user, hostUrl, stats }: Props) {
  const { code, draftError, isEdit, opened, notice, unsaved } = dialog
  const tier = user.subscriptionTier
  const { form, submit, saving } = useEditor(code, dialog.typed, () => {
    withdrawQuestion()
    dialog.close()
  })
  useGuardedForm({ opened, userId: user.id, edited: isEdit ? code : undefined, form, unsaved })
  const look = useSettledLook(form.values)
  const link = linkOf(hostUrl, form.values.vanityUrl || code?.shortCode || '')
  const isSaved = form.values.vanityUrl === (code?.vanityUrl ?? '')
  const picture = usePicture({ id: code?.id, look, link, isSaved })
  const subject = { code, isNew: !isEdit, tier, hostUrl, isDemo: Boolean(user.demo) }
  // A refused draft will not be printed.
  const notes = draftError ? [] : printNotes(subject, new Date())
  const saveByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={submit}
      onKeyDown={saveByKey}
      onFocus={({ target }) => {
        unsaved.focused.current = target
      }}
    >
      {notice && (
        <div className={styles.notice}>
          <Note icon={PenLine} role="status">
            {notice}
          </Note>
        </div>
      )}
      {stats}
      <DraftRefusal error={draftError} unsaved={unsaved} />
      <div className={styles.columns}>
        <CodeFields form={form} tier={tier} hostUrl={hostUrl} link={link} />
        <div className={styles.picture}>
          <CodePreview
            code={code}
            failed={draftError !== null}
            picture={picture}
            look={look}
            link={link}
            copy={!isEdit ? 'none' : isSaved ? 'ready' : 'waiting'}
          />
          {isEdit && code && <Downloads code={code} values={form.values} checked={look} />}
          <BeforePrinting notes={notes} />
        </div>
      </div>
      <SaveBar
        code={code}
        look={look}
        picture={picture}
        notes={notes}
        saving={saving}
        onCancel={() => unsaved.leave(dialog.close)}
      />
    </form>
  )
}
