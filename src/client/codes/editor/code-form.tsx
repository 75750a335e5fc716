import { Stack } from '@mantine/core'
import { PenLine } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { isRefusal } from '../../api.ts'
import { Columns, useStacked } from '../../ui/columns.tsx'
import { ExpiredNote } from '../ending.tsx'
import { LastChange } from '../history/last-change.tsx'
import { Note } from '../note.tsx'
import { LastCheck } from '../prints/print-proofs.tsx'
import { ArtworkRefusal } from './artwork/plan-note.tsx'
import { FirstFields, OtherFields } from './code-fields.tsx'
import styles from './code-form.module.css'
import { CodePreview } from './code-preview.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { ChangedElsewhere, DraftFailure, GoneElsewhere } from './form-panels.tsx'
import { LimitOffer } from './limit-offer.tsx'
import { useOpenForm } from './open-form.ts'
import { PrintNotes } from './printing/before-printing.tsx'
import { Downloads } from './printing/downloads.tsx'
import { SaveBar } from './save-bar.tsx'
import { undoByKey } from './undo-buttons.tsx'

type Props = {
  dialog: CodeDialogState
  stats: ReactNode
}

/** The form of a code: first its name and where it leads, then the picture, then everything else. */
export function CodeForm({ dialog, stats }: Props) {
  const { draftError, isEdit, notice, unsaved } = dialog
  const open = useOpenForm(dialog)
  const { form, code, saved, look, notes } = open
  const isStacked = useStacked()
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    undoByKey(event, open.history)
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  if (isRefusal(draftError, 'plan_limit_reached')) {
    return <LimitOffer seePlans={open.seePlans} onClose={open.leave} />
  }
  // On a phone the keyboard would cover an existing code.
  const first = <FirstFields key="first" {...open} takesFocus={!(isStacked && isEdit)} />
  const aside = (
    <Stack key="picture" gap="sm" miw={0} className={isStacked ? undefined : styles.picture}>
      <div ref={open.pictureRef}>
        <CodePreview
          {...open}
          failed={draftError !== null || open.isGone}
          copy={!isEdit ? 'none' : open.isLinkSaved ? 'ready' : 'waiting'}
        />
      </div>
      {saved && <Downloads code={saved} values={form.values} checked={look} sizes={open.sizes} />}
      {isEdit && <PrintNotes notes={notes} />}
      {saved && !isStacked && <LastCheck code={saved} />}
      {isEdit && code && <LastChange code={code} />}
    </Stack>
  )
  const others = <OtherFields key="others" {...open} stats={stats} />
  return (
    <form
      noValidate
      onSubmit={open.submit}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        unsaved.focused.current = target
      }}
    >
      {notice && (
        <Note icon={PenLine} role="status" mb="md" isPlain>
          {notice}
        </Note>
      )}
      {isEdit && code && <ExpiredNote code={code} />}
      {draftError && <DraftFailure onTryAgain={dialog.makeDraft} />}
      <ArtworkRefusal {...open} />
      <ChangedElsewhere {...open} />
      {open.isGone && <GoneElsewhere {...open} isEdit={isEdit} />}
      <Columns widths="minmax(0, 1fr) 280px" heights="auto 1fr" rowGap="md" isStacked={isStacked}>
        {isStacked ? [first, aside, others] : [first, others, aside]}
      </Columns>
      <SaveBar {...open} notes={isEdit ? [] : notes} />
    </form>
  )
}
