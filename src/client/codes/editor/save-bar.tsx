import { Button } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import type { Look } from '#qr/symbol/look.ts'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { ShortNote } from '../note.tsx'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import thumbnail from '../thumbnail.module.css'
import styles from './code-form.module.css'
import { VERDICT_ID } from './code-preview.tsx'
import { NOTES_ID, type PrintNote, PrintNotes } from './printing/before-printing.tsx'
import type { LookHistory } from './undo-buttons.tsx'
import { UndoButtons } from './undo-buttons.tsx'

type Props = {
  code: QrCode | undefined
  look: Look
  /** The live preview, if the large one is out of sight. */
  picture: string | undefined
  /** To be read before saving */
  notes: readonly PrintNote[]
  saving: boolean
  history: LookHistory
  onCancel: () => void
}

/** Always in view. On a phone it shows the picture and a bad verdict while these are out of sight. */
export function SaveBar({ code, look, picture, notes, saving, history, onCancel }: Props) {
  return (
    <DialogBar
      onClose={onCancel}
      buttons={
        <Button
          type="submit"
          disabled={saving || !code}
          aria-describedby={`${VERDICT_ID} ${NOTES_ID}`}
        >
          {saving ? 'Saving...' : 'Save QR Code'}
        </Button>
      }
    >
      {picture && (
        <div className={styles.glance}>
          <img src={picture} alt="" width={44} height={44} className={thumbnail.picture} />
          {code && <VerdictNote code={code} look={look} />}
        </div>
      )}
      <UndoButtons {...history} />
      <PrintNotes notes={notes} flex="1 1 200px" />
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
