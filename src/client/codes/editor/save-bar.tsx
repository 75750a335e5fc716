import { Button } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import type { Look } from '#qr/symbol/look.ts'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { ShortNote } from '../note.tsx'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import { type PrintNote, ShortNotes } from './before-printing.tsx'
import styles from './code-form.module.css'
import type { LookHistory } from './undo-buttons.tsx'
import { UndoButtons } from './undo-buttons.tsx'

/** The id of the short notes. They describe Save and every download for screen readers. */
export const NOTES_ID = 'print-notes'

type Props = {
  code: QrCode | undefined
  look: Look
  /** The live preview, for narrow screens where the large one is out of sight. */
  picture: string | undefined
  notes: readonly PrintNote[]
  saving: boolean
  history: LookHistory
  onCancel: () => void
}

/** Always in view, with the notes to read before saving or downloading. */
export function SaveBar({ code, look, picture, notes, saving, history, onCancel }: Props) {
  return (
    <DialogBar
      onClose={onCancel}
      buttons={
        <Button type="submit" disabled={saving || !code} aria-describedby={NOTES_ID}>
          {saving ? 'Saving...' : 'Save QR Code'}
        </Button>
      }
    >
      {picture && <img src={picture} alt="" width={64} height={64} className={styles.thumbnail} />}
      <UndoButtons {...history} />
      <div id={NOTES_ID} className={styles.notes}>
        {code && <VerdictNote code={code} look={look} />}
        <ShortNotes notes={notes} />
      </div>
    </DialogBar>
  )
}

/** Shows only a bad verdict. A good one is shown under the picture. */
function VerdictNote({ code, look }: { code: QrCode; look: Look }) {
  const { data } = useLegibility(code, look)
  const shown = data && scanVerdicts[data.verdict]
  if (!shown?.warning) return null
  return (
    <ShortNote icon={shown.icon} grave={data?.verdict === 'unreadable'}>
      {shown.warning}
    </ShortNote>
  )
}
