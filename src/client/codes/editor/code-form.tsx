import { Box, Stack } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { PenLine } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { withdrawQuestion } from '../../ui/messages/confirm-dialog.tsx'
import { usePlansLink } from '../addresses.ts'
import { ExpiredNote } from '../ending.tsx'
import { linkOf } from '../links.ts'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { LastCheck } from '../prints/print-proofs.tsx'
import { ArtworkRefusal } from './artwork/plan-note.tsx'
import { FirstFields, OtherFields } from './code-fields.tsx'
import styles from './code-form.module.css'
import { CodePreview, usePicture, useSettledLook } from './code-preview.tsx'
import { offerAccount } from './demo-form.ts'
import type { CodeDialogState } from './dialog-state.ts'
import { useEditor } from './editor.ts'
import { ChangedElsewhere, DraftFailure, GoneElsewhere } from './form-panels.tsx'
import { isAtLimit, LimitOffer } from './limit-offer.tsx'
import { PrintNotes, printNotes } from './printing/before-printing.tsx'
import { Downloads } from './printing/downloads.tsx'
import { useFileSizes } from './printing/file-sizes.tsx'
import { SaveBar } from './save-bar.tsx'
import { useStacked } from './stacked.ts'
import { undoByKey, useLookHistory } from './undo-buttons.tsx'
import { useGuardedForm } from './unsaved-changes.ts'

type Props = {
  dialog: CodeDialogState
  stats: ReactNode
}

/** The picture counts as seen while half of it is between the dialog's title and its buttons. */
const SEEN = { threshold: 0.5, rootMargin: '-60px 0px -70px' }

/** The form of a code: first its name and where it leads, then the picture, then everything else. */
export function CodeForm({ dialog, stats }: Props) {
  const { user, tier, isDemo, hostUrl } = useOwner()
  const { draftError, isEdit, opened, notice, unsaved } = dialog
  const onSaved: Parameters<typeof useEditor>[1] = (saved) => {
    withdrawQuestion()
    dialog.saved(saved)
  }
  const editor = useEditor(dialog, onSaved, user.demo === 'live' ? offerAccount : undefined)
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
  const sizes = useFileSizes()
  const leave = () => unsaved.leave(dialog.close)
  const look = useSettledLook(form.values)
  const { domain, vanityUrl } = form.values
  const link = linkOf(hostUrl, { domain, vanityUrl, shortCode: code?.shortCode ?? '' })
  const isSaved = domain === (code?.domain ?? '') && vanityUrl === (code?.vanityUrl ?? '')
  const picture = usePicture({ id: isGone ? undefined : code?.id, look, link, isSaved })
  const seen = useIntersection(SEEN)
  const isSeen = !seen.entry || seen.entry.intersectionRatio >= SEEN.threshold
  const isStacked = useStacked()
  const saved = isEdit && !isGone ? code : undefined
  const subject = { code, isNew: !isEdit, tier, link, isDemo }
  // Neither a refused draft nor a code that is gone will be printed.
  const notes = draftError || isGone ? [] : printNotes(subject, new Date())
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    undoByKey(event, history)
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  if (isAtLimit(draftError)) return <LimitOffer seePlans={seePlans} onClose={leave} />
  const first = (
    <FirstFields
      key="first"
      form={form}
      onLinkTyped={editor.completeLink}
      // On a phone the keyboard would cover an existing code.
      takesFocus={!(isStacked && isEdit)}
    />
  )
  // On a desk it stays in view while the fields scroll.
  const aside = (
    <Stack key="picture" gap="sm" miw={0} className={styles.picture}>
      <div ref={seen.ref}>
        <CodePreview
          code={code}
          failed={draftError !== null || isGone}
          picture={picture}
          look={look}
          link={link}
          copy={!isEdit ? 'none' : isSaved ? 'ready' : 'waiting'}
        />
      </div>
      {saved && <Downloads code={saved} values={form.values} checked={look} sizes={sizes} />}
      {isEdit && <PrintNotes notes={notes} />}
      {saved && !isStacked && <LastCheck code={saved} />}
    </Stack>
  )
  const others = (
    <OtherFields
      key="others"
      form={form}
      link={link}
      seePlans={seePlans}
      stats={stats}
      saved={saved}
      sizes={sizes}
    />
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
          <Note icon={PenLine} role="status" isPlain>
            {notice}
          </Note>
        </Box>
      )}
      {isEdit && code && <ExpiredNote code={code} />}
      {draftError && <DraftFailure onTryAgain={dialog.makeDraft} />}
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
        {isStacked ? [first, aside, others] : [first, others, aside]}
      </div>
      <SaveBar
        code={isGone ? undefined : code}
        look={look}
        picture={isSeen ? undefined : picture}
        notes={isEdit ? [] : notes}
        saving={saving}
        history={history}
        onCancel={leave}
      />
    </form>
  )
}
