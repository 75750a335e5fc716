import { Box, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { PenLine } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { withdrawQuestion } from '../../ui/messages/confirm-dialog.tsx'
import { usePlansLink } from '../addresses.ts'
import { ExpiredNote } from '../ending.tsx'
import { linkOf } from '../links.ts'
import { Note } from '../note.tsx'
import { LastCheck } from '../prints/print-proofs.tsx'
import { ArtworkRefusal } from './artwork/plan-note.tsx'
import { BeforePrinting, printNotes } from './before-printing.tsx'
import { CodeFields } from './code-fields.tsx'
import styles from './code-form.module.css'
import { CodePreview, usePicture, useSettledLook } from './code-preview.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { Downloads } from './downloads.tsx'
import { useEditor } from './editor.ts'
import { ChangedElsewhere, DraftRefusal, GoneElsewhere } from './form-panels.tsx'
import { SaveBar } from './save-bar.tsx'
import { undoByKey, useLookHistory } from './undo-buttons.tsx'
import { useGuardedForm } from './unsaved-changes.ts'

type Props = {
  dialog: CodeDialogState
  user: User
  hostUrl: string
  stats: ReactNode
}

/** Where the picture stands above the fields and not beside them; code-form.module.css has the same width. */
const STACKED = '(max-width: 40em)'
const AT_ONCE = { getInitialValueInEffect: false }

/** On a phone an existing code begins with its picture and downloads: most people come for these. */
export function CodeForm({ dialog, user, hostUrl, stats }: Props) {
  const { draftError, isEdit, opened, notice, unsaved } = dialog
  const tier = user.subscriptionTier
  const editor = useEditor(dialog, (saved) => {
    withdrawQuestion()
    dialog.saved(saved)
  })
  const { form, code, saving, conflict, isGone, version } = editor
  const keepForm = useGuardedForm({
    opened,
    userId: user.id,
    edited: isEdit ? code : undefined,
    version,
    form,
    unsaved,
  })
  const seePlans = usePlansLink((go) => {
    keepForm()
    go()
  })
  const history = useLookHistory(form, `${code?.id} ${code?.version}`)
  const leave = () => unsaved.leave(dialog.close)
  const look = useSettledLook(form.values)
  const link = linkOf(hostUrl, form.values.vanityUrl || code?.shortCode || '')
  const isSaved = form.values.vanityUrl === (code?.vanityUrl ?? '')
  const picture = usePicture({ id: isGone ? undefined : code?.id, look, link, isSaved })
  const subject = { code, isNew: !isEdit, tier, hostUrl, isDemo: Boolean(user.demo) }
  // Neither a refused draft nor a code that is gone will be printed.
  const notes = draftError || isGone ? [] : printNotes(subject, new Date())
  const isPictureFirst = useMediaQuery(STACKED, undefined, AT_ONCE) && isEdit
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    undoByKey(event, history)
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  const fields = (
    <CodeFields
      key="fields"
      form={form}
      tier={tier}
      hostUrl={hostUrl}
      link={link}
      seePlans={seePlans}
      onLinkTyped={editor.completeLink}
      takesFocus={!isPictureFirst}
    />
  )
  const aside = (
    <Stack key="picture" miw={0} className={styles.picture}>
      <CodePreview
        code={code}
        failed={draftError !== null || isGone}
        picture={picture}
        look={look}
        link={link}
        copy={!isEdit ? 'none' : isSaved ? 'ready' : 'waiting'}
      />
      {isEdit && code && !isGone && <Downloads code={code} values={form.values} checked={look} />}
      {isEdit && code && !isGone && <LastCheck code={code} />}
      <BeforePrinting notes={notes} />
    </Stack>
  )
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={editor.submit}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        unsaved.focused.current = target
      }}
    >
      {notice && (
        <Box mb="md">
          <Note icon={PenLine} role="status">
            {notice}
          </Note>
        </Box>
      )}
      {!isPictureFirst && stats}
      {isEdit && code && <ExpiredNote code={code} tier={tier} />}
      <DraftRefusal error={draftError} unsaved={unsaved} />
      <ArtworkRefusal refusals={editor.artworkRefusals} form={form} seePlans={seePlans} />
      {conflict && !isGone && (
        <ChangedElsewhere
          {...conflict}
          values={form.values}
          busy={saving}
          onKeepMine={editor.keepMine}
          onTakeTheirs={editor.takeTheirs}
        />
      )}
      {isGone && (
        <GoneElsewhere isEdit={isEdit} busy={saving} onSaveAsNew={editor.makeNew} onClose={leave} />
      )}
      <div className={styles.columns}>
        {isPictureFirst ? [aside, <div key="stats">{stats}</div>, fields] : [fields, aside]}
      </div>
      <SaveBar
        code={isGone ? undefined : code}
        look={look}
        picture={picture}
        notes={notes}
        saving={saving}
        history={history}
        onCancel={leave}
      />
    </form>
  )
}
